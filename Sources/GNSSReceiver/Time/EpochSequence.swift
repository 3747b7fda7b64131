package import Geodesy

/// Decides whether an epoch is new: the same time again is a repeat, a time that goes backwards is junk until it has
/// gone on for three epochs (then the receiver has corrected itself).
package struct EpochSequence: Sendable {
  /// What an epoch is in the sequence.
  package enum Verdict: Hashable, Sendable {
    case new
    case repeated
    case backwards
  }

  private var last: GNSSTime?
  private var previousBackwards: GNSSTime?
  private var backwardsInARow = 0

  /// A sequence that has seen nothing.
  package init() {}

  /// Epochs going steadily on from an earlier time that make it the new present.
  package static let epochsToAcceptBackStep = 3

  /// Takes the next epoch's time.
  package mutating func verdict(on time: GNSSTime) -> Verdict {
    guard let last else {
      self.last = time
      return .new
    }
    if time > last {
      self.last = time
      backwardsInARow = 0
      return .new
    }
    if time == last { return .repeated }
    if let previous = previousBackwards, backwardsInARow > 0, time == previous { return .repeated }
    let goesOn = previousBackwards.map { time > $0 } ?? true
    backwardsInARow = goesOn ? backwardsInARow + 1 : 1
    previousBackwards = time
    guard backwardsInARow >= Self.epochsToAcceptBackStep else { return .backwards }
    self.last = time
    backwardsInARow = 0
    return .new
  }
}

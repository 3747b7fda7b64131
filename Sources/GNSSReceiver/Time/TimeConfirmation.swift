package import Geodesy

/// Decides when a receiver's date is believed: at once where the receiver vouches for it, else after three consecutive 3D
/// fixes one after the other in time (gpsd's man page: "Verify 3 consecutive 3D fixes before believing it is UTC").
package struct TimeConfirmation: Sendable {
  private var consecutiveFixes = 0
  private var last: GNSSTime?

  /// A confirmation that has seen nothing.
  package init() {}

  /// 3D fixes in a row that confirm a date.
  package static let fixesToConfirm = 3
  /// The longest step between two of them that still counts as "in a row".
  package static let longestStep: Duration = .seconds(15)

  /// Takes the next epoch. `receiverConfirms`: `nil` where the receiver has no way to say.
  package mutating func validity(
    of time: GNSSTime, hasDate: Bool, is3DFix: Bool, receiverConfirms: Bool?
  ) -> TimeValidity {
    let step = last.map { time - $0 }
    last = time
    let goesOn = step.map { $0 > .zero && $0 <= Self.longestStep } ?? true
    consecutiveFixes = is3DFix ? (goesOn ? min(consecutiveFixes + 1, Self.fixesToConfirm) : 1) : 0
    guard hasDate else { return .timeOfDayOnly }
    if let receiverConfirms { return receiverConfirms ? .confirmed : .dateUnconfirmed }
    return consecutiveFixes >= Self.fixesToConfirm ? .confirmed : .dateUnconfirmed
  }
}

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

/// Holds back the epochs that a recording begins with while it has told no date: the date comes with one of the next epochs,
/// and today's, which stands in otherwise, is not theirs.
struct UndatedEpochs {
  /// A date that has not come after so many epochs, or this long, does not come.
  static let mostHeld = 10
  static let longestWait: Duration = .seconds(10)

  private var held: [EpochDraft] = []
  /// Whether the next epoch may be held; else it goes on as it is.
  private(set) var isWaiting: Bool
  /// When what is held is let go without a date.
  private(set) var deadline: Instant?

  /// - Parameter waits: `false`: nothing is ever held.
  init(waits: Bool) { isWaiting = waits }

  /// Takes the next epoch; returns those to go on with, in their order.
  mutating func take(_ draft: EpochDraft, at now: Instant) -> [EpochDraft] {
    guard isWaiting else { return [draft] }
    if let date = draft.date {
      let earlier = release(at: draft.lastArrival)
      return earlier.map { $0.dated(before: date, draft.nanosecondsOfDay) } + [draft]
    }
    // An epoch without a time has nothing that could be dated wrong.
    guard draft.nanosecondsOfDay != nil || !held.isEmpty else { return [draft] }
    held.append(draft)
    deadline = deadline ?? now + Self.longestWait
    return held.count < Self.mostHeld ? [] : release(at: now)
  }

  /// Lets go of what is held, as it is, and holds nothing any more. They arrive one after the other up to `now`: they were
  /// held for longer than a fix is taken for the present.
  mutating func release(at now: Instant) -> [EpochDraft] {
    isWaiting = false
    deadline = nil
    var released = held
    held = []
    for index in released.indices {
      released[index].lastArrival = now - .milliseconds(released.count - index)
    }
    return released
  }
}

extension EpochDraft {
  /// With the date that makes it the nearest to a later epoch, of `date` and its time of day.
  fileprivate func dated(before date: CalendarDate, _ later: Int64?) -> EpochDraft {
    guard let ofDay = nanosecondsOfDay, let later else { return self }
    var dated = self
    let half = GNSSTime.nanosecondsPerDay / 2
    let shift = ofDay - later > half ? -1 : ofDay - later < -half ? 1 : 0
    dated.date = CalendarDate(daysSince1970: date.daysSince1970 + shift)
    return dated
  }
}

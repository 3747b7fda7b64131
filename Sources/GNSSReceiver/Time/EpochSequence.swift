package import Geodesy

/// Decides whether an epoch is new: an equal time is a repeat; a time that goes backwards is ignored until it has continued for
/// three epochs (then the receiver has corrected its clock).
package struct EpochSequence: Sendable {
  /// The classification of an epoch.
  package enum Verdict: Hashable, Sendable {
    case new
    case repeated
    case backwards
  }

  private var last: GNSSTime?
  private var previousBackwards: GNSSTime?
  private var backwardsInARow = 0

  /// A sequence without any epoch yet.
  package init() {}

  /// Consecutive advancing epochs from an earlier time after which that time is accepted.
  package static let epochsToAcceptBackStep = 3

  /// Classifies the next epoch's time.
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

/// Holds back a recording's first epochs until an epoch contains a date, because today's date, which would be assumed
/// otherwise, would be wrong for them.
struct UndatedEpochs {
  /// If no date has come after this many epochs, or this long, none is expected.
  static let mostHeld = 10
  static let longestWait: Duration = .seconds(10)

  private var held: [EpochDraft] = []
  /// Whether the next epoch may be held; otherwise it is passed on unchanged.
  private(set) var isWaiting: Bool
  /// When the held epochs are released without a date.
  private(set) var deadline: Instant?

  /// - Parameter waits: `false`: no epoch is ever held.
  init(waits: Bool) { isWaiting = waits }

  /// Handles the next epoch; returns the epochs to pass on, in order.
  mutating func receive(_ draft: EpochDraft, at now: Instant) -> [EpochDraft] {
    guard isWaiting else { return [draft] }
    if let date = draft.date {
      let earlier = release(at: draft.lastArrival)
      return earlier.map { $0.dated(before: date, draft.nanosecondsOfDay) } + [draft]
    }
    // An epoch without a time cannot get a wrong date.
    guard draft.nanosecondsOfDay != nil || !held.isEmpty else { return [draft] }
    held.append(draft)
    deadline = deadline ?? now + Self.longestWait
    return held.count < Self.mostHeld ? [] : release(at: now)
  }

  /// Releases the held epochs, still without a date, and holds no more. Their arrival times become the last milliseconds before `now`,
  /// because they may have been held for longer than a fix counts as current.
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
  /// The draft with the date that brings it nearest to a later epoch, which has the date `date` and the time of day `later`.
  fileprivate func dated(before date: CalendarDate, _ later: Int64?) -> EpochDraft {
    guard let ofDay = nanosecondsOfDay, let later else { return self }
    var dated = self
    let half = GNSSTime.nanosecondsPerDay / 2
    let shift = ofDay - later > half ? -1 : ofDay - later < -half ? 1 : 0
    dated.date = CalendarDate(daysSince1970: date.daysSince1970 + shift)
    return dated
  }
}

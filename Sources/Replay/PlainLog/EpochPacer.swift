/// Turns the times that a log's messages tell into time since its first epoch: never backwards, whatever they tell.
struct EpochPacer: Sendable {
  /// Which clock a time is of: they differ by the leap seconds, so that one log is paced by one of them.
  enum Clock: Hashable, Sendable {
    /// UTC time of day.
    case timeOfDay
    /// GPS time of week.
    case timeOfWeek

    /// When it begins again, in milliseconds.
    fileprivate var period: Int64 {
      switch self {
      case .timeOfDay: 86_400_000
      case .timeOfWeek: 604_800_000
      }
    }
  }

  /// Time since the first epoch.
  private(set) var elapsed = Duration.zero
  private var clock: Clock?
  private var latest: Int64 = 0
  /// Times of the other clock since the last of `clock`.
  private var foreign = 0

  /// Below this two times are of one epoch: half of what lies between two at 25 Hz. Messages of one epoch may differ by
  /// milliseconds.
  private static let shortestStep = 20
  /// Beyond this a step is not believed: the log was pasted together, or the receiver found out the time.
  private static let longestStep: Int64 = 3_600_000
  /// What stands in for a step that is not believed.
  private static let standIn: Int64 = 1000
  /// After so many times of the other clock alone, that one is followed.
  private static let patience = 64

  /// Takes a time of `clock` in milliseconds; says whether it begins another epoch.
  mutating func take(_ milliseconds: Int64, of clock: Clock) -> Bool {
    guard let current = self.clock else {
      self.clock = clock
      latest = milliseconds
      return false
    }
    guard current == clock else {
      foreign += 1
      guard foreign > Self.patience else { return false }
      self.clock = clock
      return step(to: milliseconds, by: Self.standIn)
    }
    foreign = 0
    let period = clock.period
    // Over midnight, or the week's end, the difference is negative by nearly a period.
    let difference = milliseconds - latest
    let step = difference < -period / 2 ? difference + period : difference
    guard step.magnitude >= Self.shortestStep else { return false }
    return self.step(to: milliseconds, by: (1...Self.longestStep).contains(step) ? step : Self.standIn)
  }

  private mutating func step(to milliseconds: Int64, by step: Int64) -> Bool {
    foreign = 0
    latest = milliseconds
    elapsed += .milliseconds(step)
    return true
  }
}

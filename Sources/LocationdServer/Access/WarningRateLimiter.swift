import Geodesy

/// Limits journal lines to one per minute for each subject, such as a client that makes ten thousand requests per
/// second.
struct WarningRateLimiter<Subject: Hashable> {
  private let pause = Duration.seconds(60)
  /// Maximum number of tracked subjects. When it is reached, lines about other subjects are dropped until the minute of
  /// a tracked one has ended.
  private let capacity = 256

  private var reported: [Subject: Instant] = [:]

  /// Whether a line about the subject may be logged now; if so, records it.
  mutating func isNew(_ subject: Subject, at now: Instant) -> Bool {
    if let before = reported[subject], now - before < pause { return false }
    if reported.count >= capacity { reported = reported.filter { now - $0.value < pause } }
    guard reported.count < capacity else { return false }
    reported[subject] = now
    return true
  }
}

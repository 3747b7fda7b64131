import Geodesy
import LocationPolicy

/// How often the journal is told of one and the same client: who asks ten thousand times a second writes one line a minute.
struct ComplaintPace {
  private static let pause = Duration.seconds(60)
  /// More are not told apart; beyond, all wait for the minute to end.
  private static let capacity = 256

  private var told: [ClientIdentity: Instant] = [:]

  /// Whether it is to be told; notes it.
  mutating func isNew(_ identity: ClientIdentity, at now: Instant) -> Bool {
    if let before = told[identity], now - before < Self.pause { return false }
    if told.count >= Self.capacity { told = told.filter { now - $0.value < Self.pause } }
    guard told.count < Self.capacity else { return false }
    told[identity] = now
    return true
  }
}

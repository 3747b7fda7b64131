package import Geodesy

/// How much of the service's processor time the clients of each user may take: a bucket of time that fills at a constant rate.
///
/// A bound on messages is one for each connection, and messages differ in cost by a factor of a thousand. Time bounds what a user
/// takes from the others, by whatever requests and over however many connections.
package struct ProcessorBudget: Sendable {
  /// The share of one processor that a user's requests may take for long.
  package static let share = 0.1
  /// What a user may take at once after a rest: some thousand requests.
  package static let burst: Duration = .milliseconds(50)
  /// As many users are told apart; when there are more, those who owe nothing are forgotten.
  package static let mostUsers = 1024

  /// When each user's bucket is full again; absent: it is full.
  private var fullAt: [UInt32: Instant] = [:]

  package init() {}

  /// Takes the time that a user's requests took until now.
  package mutating func charge(_ spent: Duration, to userID: UInt32, at now: Instant) {
    if fullAt.count >= Self.mostUsers, fullAt[userID] == nil { fullAt = fullAt.filter { $0.value > now } }
    guard fullAt.count < Self.mostUsers || fullAt[userID] != nil else { return }
    fullAt[userID] = max(now, fullAt[userID] ?? now) + spent / Self.share
  }

  /// From when on the user's requests are read; `nil`: at once.
  package func pauseEnd(of userID: UInt32, at now: Instant) -> Instant? {
    guard let full = fullAt[userID] else { return nil }
    let end = full - Self.burst / Self.share
    return end > now ? end : nil
  }
}

package import Geodesy

/// Limits the service's processor time that the clients of each user may take: a bucket of time that fills at a constant rate.
///
/// A bound on messages applies to one connection, and messages differ in cost by a factor of a thousand. A bound on time limits
/// what one user takes from the others, with any requests and over any number of connections.
package struct ProcessorBudget: Sendable {
  /// The share of one processor that a user's requests may take continuously.
  package static let share = 0.1
  /// What a user may take at once after a pause: about a thousand requests.
  package static let burst: Duration = .milliseconds(50)
  /// The most users that are tracked; beyond that, users with a full bucket are dropped. If there are none, new users are not
  /// charged.
  package static let mostUsers = 1024

  /// When each user's bucket is full again; absent: it is full.
  private var fullAt: [UInt32: Instant] = [:]

  package init() {}

  /// Charges a user for the processor time that the user's requests took until `now`.
  package mutating func charge(_ spent: Duration, to userID: UInt32, at now: Instant) {
    if fullAt.count >= Self.mostUsers, fullAt[userID] == nil { fullAt = fullAt.filter { $0.value > now } }
    guard fullAt.count < Self.mostUsers || fullAt[userID] != nil else { return }
    fullAt[userID] = max(now, fullAt[userID] ?? now) + spent / Self.share
  }

  /// When the user's requests may be read again; `nil`: at once.
  package func pauseEnd(of userID: UInt32, at now: Instant) -> Instant? {
    guard let full = fullAt[userID] else { return nil }
    let end = full - Self.burst / Self.share
    return end > now ? end : nil
  }
}

package import Geodesy

/// When the position of this machine is sent on one connection to a caster: if the mount point needs it, or sends nothing
/// for five seconds; then every ten seconds, and at once after a kilometer. Some casters close the connection if they
/// receive a position that they did not ask for.
package struct PositionReports: Hashable, Sendable {
  /// A mount point that sends nothing for this long needs a position.
  package static let patience: Duration = .seconds(5)
  package static let interval: Duration = .seconds(10)
  /// A movement that may need other corrections.
  package static let movement = Meters(1000)
  /// The least time between two positions, however fast the machine moves, or its position jumps.
  package static let leastInterval: Duration = .seconds(1)

  private let interval: Duration
  private let isAllowed: Bool
  private var startedAt: Instant
  private var isNeeded: Bool
  private var hasCorrections = false
  private var last: Report?

  private struct Report: Hashable {
    var sentAt: Instant
    var coordinate: Coordinate
  }

  init(_ policy: CasterConfiguration.PositionPolicy, isNeeded: Bool, startedAt: Instant) {
    self.startedAt = startedAt
    switch policy {
    case .automatic: (interval, isAllowed, self.isNeeded) = (Self.interval, true, isNeeded)
    case .never: (interval, isAllowed, self.isNeeded) = (Self.interval, false, false)
    case .every(let interval): (self.interval, isAllowed, self.isNeeded) = (interval, true, true)
    }
  }

  /// When the first position was sent.
  private(set) var firstSentAt: Instant?

  /// Whether the mount point has sent nothing, and may be waiting for a first position.
  var isWaiting: Bool { isAllowed && last == nil && !hasCorrections }

  /// Whether the corrections came in response to a position.
  var isProvenNeeded: Bool { isNeeded && last != nil && hasCorrections }

  /// The caster has answered the request.
  mutating func begin(at now: Instant) { startedAt = now }

  /// Corrections have come in.
  mutating func receivedCorrections() { hasCorrections = true }

  /// When `send` may send a position without a movement; `nil`: not before something else happens.
  var nextDeadline: Instant? {
    guard isAllowed else { return nil }
    if let last { return last.sentAt + interval }
    if isNeeded { return startedAt }
    return hasCorrections ? nil : startedAt + Self.patience
  }

  /// Whether to send the position now; if so, the position counts as sent.
  mutating func send(_ position: CasterPosition, at now: Instant) -> Bool {
    guard isAllowed else { return false }
    if !isNeeded, !hasCorrections, now - startedAt >= Self.patience { isNeeded = true }
    guard isNeeded else { return false }
    if let last {
      let passed = now - last.sentAt
      let isFar =
        passed >= Self.leastInterval
        && Geodesic.inverse(from: last.coordinate, to: position.coordinate).distance >= Self.movement
      guard passed >= interval || isFar else { return false }
    }
    sent(position, at: now)
    return true
  }

  /// The position was in the request.
  mutating func sentInRequest(_ position: CasterPosition, at now: Instant) { sent(position, at: now) }

  private mutating func sent(_ position: CasterPosition, at now: Instant) {
    last = Report(sentAt: now, coordinate: position.coordinate)
    if firstSentAt == nil { firstSentAt = now }
  }
}

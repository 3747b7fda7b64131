package import Geodesy

/// When a caster is tried again, so that it never bans this client.
///
/// After a failure the delay grows as `GrowingDelay.caster`, with at least ten seconds from one try to the next. Casters
/// count connections, and ban an address for hours. After four connections in an hour, none of which carried corrections
/// for a minute, at least 15 minutes pass between two connections. There are therefore never more than seven in an hour,
/// even if the process is killed on each of them.
package struct CasterBackOff: Hashable, Sendable {
  /// The least time from the start of one try to the start of the next.
  package static let leastInterval: Duration = .seconds(10)
  /// Corrections for this long end the series of failures.
  package static let provenAfter: Duration = .seconds(60)
  /// The number of connections within `window` after which the pauses become `longPause`.
  package static let quickConnections = 4
  package static let window: Duration = .seconds(3600)
  package static let longPause: Duration = .seconds(900)

  private var failures = 0
  private var lastTry: Instant?
  private var pausedUntil: Instant?
  /// The newest connections since corrections last lasted, at most `quickConnections`, oldest first.
  private var connections: [Instant] = []
  /// The pause after the newest connection, if there are `quickConnections`.
  private var rest = Self.longPause
  private var jitter: Jitter

  package init(seed: UInt64) { jitter = Jitter(seed: seed) }

  /// The earliest time for the next try; `nil`: now.
  package var earliestTry: Instant? {
    [lastTry.map { $0 + Self.leastInterval }, pausedUntil, restedUntil].compactMap { $0 }.max()
  }

  /// When the series of connections may go on. An eighth connection is never within an hour of the first: from the fifth on, each
  /// comes `longPause` after the one before, or an hour after the fourth before it.
  private var restedUntil: Instant? {
    guard connections.count == Self.quickConnections, let oldest = connections.first, let newest = connections.last
    else { return nil }
    return min(oldest + Self.window, newest + rest)
  }

  package mutating func tried(at now: Instant) {
    lastTry = now
    pausedUntil = nil
  }

  /// The caster accepted the connection.
  package mutating func connected(at now: Instant) {
    connections.append(now)
    if connections.count > Self.quickConnections { connections.removeFirst() }
    // The random part only makes the pause longer.
    rest = jitter.spread(Self.longPause, by: 0...GrowingDelay.jitterShare)
  }

  /// The try, or the connection, has failed.
  package mutating func failed(at now: Instant) {
    failures = min(failures + 1, 64)
    pausedUntil = now + GrowingDelay.caster.delay(after: failures, &jitter)
  }

  /// Only the least interval counts from now on: a person has changed the configuration.
  package mutating func forgive() {
    succeeded()
    pausedUntil = nil
  }

  /// Corrections have come in for `provenAfter`.
  package mutating func succeeded() {
    failures = 0
    connections = []
  }
}

/// Keeps the state over restarts of the process, so that a service that restarts again and again is not banned.
extension CasterBackOff {
  /// The state as ages at the moment of storing, whole seconds: `failures=3 tried=12 wait=28 connections=700,340,12`.
  package func text(at now: Instant) -> String {
    var parts = ["failures=\(failures)"]
    if let lastTry { parts.append("tried=\(Self.age(lastTry, at: now))") }
    if let pausedUntil { parts.append("wait=\(max(0, Int64((pausedUntil - now).inSeconds.rounded(.up))))") }
    if !connections.isEmpty {
      parts.append("connections=" + connections.map { String(Self.age($0, at: now)) }.joined(separator: ","))
    }
    return parts.joined(separator: " ")
  }

  /// Restores what `text(at:)` wrote; `nil` for any other text.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the text was written; zero if it is unknown, so that a wait is never shortened by a wrong clock.
  package init?(_ text: String, elapsed: Duration, at now: Instant, seed: UInt64) {
    self.init(seed: seed)
    guard text.utf8.count <= 256 else { return nil }
    let passed = max(.zero, elapsed)
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "=" }
      let numbers = part[name.endIndex...].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        .map { Self.number($0) }
      guard let first = numbers.first, let value = first, !numbers.contains(nil) else { return nil }
      switch name {
      case "failures" where numbers.count == 1: failures = min(value, 64)
      case "tried" where numbers.count == 1: lastTry = now - (.seconds(value) + passed)
      case "wait" where numbers.count == 1: pausedUntil = now + max(.zero, .seconds(value) - passed)
      case "connections" where numbers.count <= Self.quickConnections:
        connections = numbers.compactMap { $0 }.map { now - (.seconds($0) + passed) }
      default: return nil
      }
    }
  }

  /// Whole seconds, rounded down, so that no wait becomes shorter.
  private static func age(_ time: Instant, at now: Instant) -> Int64 {
    max(0, Int64((now - time).inSeconds.rounded(.down)))
  }

  /// A count, or seconds of at most about three years.
  private static func number(_ text: Substring) -> Int? {
    guard (1...8).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}

package import Geodesy

/// What the service remembers across its runs.
package struct ServiceMemory: Hashable, Sendable {
  /// The speed at which each receiver was last heard, by device ID; the most recent last.
  package private(set) var speeds: [(id: String, baud: Int)] = []
  /// The latest confirmed time of any receiver.
  package var lastGoodTime: GNSSTime?
  /// The latest fix of any receiver.
  package var lastFix: PositionFix?

  /// Nothing remembered.
  package init() {}

  /// More receivers than anybody has; the oldest is forgotten.
  package static let maximumSpeeds = 64

  /// The speed at which `id` was last heard.
  package func speed(of id: String) -> Int? { speeds.last { $0.id == id }?.baud }

  /// Remembers the speed at which `id` is heard; `false` where that was known.
  package mutating func remember(speed baud: Int, of id: String) -> Bool {
    guard speed(of: id) != baud else { return false }
    speeds.removeAll { $0.id == id }
    if speeds.count == Self.maximumSpeeds { speeds.removeFirst() }
    speeds.append((id, baud))
    return true
  }

  /// A receiver that told a false year once must not be believed for ever: what lies more than 400 days ahead of a clock that
  /// has been set is none. A clock that was set at the last shutdown may lag by less.
  package mutating func forgetFuture(of present: GNSSTime) {
    let latest = present + .seconds(400 * 86_400)
    if let time = lastGoodTime, time > latest { lastGoodTime = nil }
    if let fix = lastFix, fix.time > latest { lastFix = nil }
  }

  /// Takes over what another memory knows better: later times, and the speeds it has and this has not.
  package mutating func merge(_ other: ServiceMemory) {
    if let theirs = other.lastGoodTime, lastGoodTime.map({ theirs > $0 }) ?? true { lastGoodTime = theirs }
    if let theirs = other.lastFix, lastFix.map({ theirs.time > $0.time }) ?? true { lastFix = theirs }
    for (id, baud) in other.speeds where speed(of: id) == nil { _ = remember(speed: baud, of: id) }
  }

  package static func == (a: ServiceMemory, b: ServiceMemory) -> Bool {
    a.lastGoodTime == b.lastGoodTime && a.lastFix == b.lastFix && a.speeds.elementsEqual(b.speeds, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(lastGoodTime)
    hasher.combine(lastFix)
  }
}

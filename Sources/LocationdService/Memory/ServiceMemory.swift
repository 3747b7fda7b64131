package import Geodesy

/// What the service remembers across restarts.
package struct ServiceMemory: Hashable, Sendable {
  /// The baud rate at which data of each receiver was last received, by device ID; the one that changed most recently is last.
  package private(set) var speeds: [(id: String, baud: Int)] = []
  /// What each receiver reported about itself, by device ID; the report that changed most recently is last.
  package private(set) var receivers: [(id: String, note: RememberedReceiver)] = []
  /// The latest confirmed time of any receiver.
  package var lastGoodTime: GNSSTime?
  /// The boot ID of the machine's run in which its clock last agreed with a receiver's confirmed time.
  package var agreedBootID: String?
  /// The latest credible fix of any source that was not simulated.
  package var lastFix: PositionFix?
  /// The source of the service that produced `lastFix`, as `--source` names it without a baud rate; `nil`: unknown.
  package var lastFixSource: String?
  /// Whether the receiver of `lastFix` had converged; `false` for a Wi-Fi fix.
  package var isLastFixTracked = false

  /// Nothing is remembered.
  package init() {}

  /// More receivers than any machine has; beyond that, the oldest is dropped.
  package static let maximumSpeeds = 64

  /// The baud rate at which data of `id` was last received.
  package func speed(of id: String) -> Int? { speeds.last { $0.id == id }?.baud }

  /// The baud rate to try first for `id`: its own, otherwise the one that changed most recently for any receiver, which may be this
  /// one under another name.
  package func likelySpeed(of id: String) -> Int? { speed(of: id) ?? speeds.last?.baud }

  /// What `id` reported about itself.
  package func note(of id: String) -> RememberedReceiver? { receivers.last { $0.id == id }?.note }

  /// Remembers what `id` reported about itself; returns `false` if that was known.
  package mutating func remember(_ note: RememberedReceiver, of id: String) -> Bool {
    guard self.note(of: id) != note else { return false }
    receivers.removeAll { $0.id == id }
    if receivers.count == Self.maximumSpeeds { receivers.removeFirst() }
    receivers.append((id, note))
    return true
  }

  /// Remembers the baud rate at which data of `id` is received; returns `false` if that was known.
  package mutating func remember(speed baud: Int, of id: String) -> Bool {
    guard speed(of: id) != baud else { return false }
    speeds.removeAll { $0.id == id }
    if speeds.count == Self.maximumSpeeds { speeds.removeFirst() }
    speeds.append((id, baud))
    return true
  }

  /// Drops times more than 400 days ahead of `present`, a clock that has been set: a receiver that reported a wrong year once must
  /// not be trusted forever. A clock that was set at the last shutdown may lag by less.
  package mutating func forgetFuture(of present: GNSSTime) {
    let latest = present + .seconds(400 * 86_400)
    if let time = lastGoodTime, time > latest { lastGoodTime = nil }
    if let fix = lastFix, fix.time > latest { lastFix = nil }
  }

  /// Merges another memory: takes its later times, and its baud rates and receivers that are missing here.
  package mutating func merge(_ other: ServiceMemory) {
    if let theirs = other.lastGoodTime, lastGoodTime.map({ theirs > $0 }) ?? true { lastGoodTime = theirs }
    if let theirs = other.lastFix, lastFix.map({ theirs.time > $0.time }) ?? true {
      (lastFix, lastFixSource, isLastFixTracked) = (theirs, other.lastFixSource, other.isLastFixTracked)
    }
    agreedBootID = agreedBootID ?? other.agreedBootID
    for (id, baud) in other.speeds where speed(of: id) == nil { _ = remember(speed: baud, of: id) }
    for (id, note) in other.receivers where self.note(of: id) == nil { _ = remember(note, of: id) }
  }

  package static func == (a: ServiceMemory, b: ServiceMemory) -> Bool {
    a.lastGoodTime == b.lastGoodTime && a.agreedBootID == b.agreedBootID && a.lastFix == b.lastFix
      && a.lastFixSource == b.lastFixSource && a.isLastFixTracked == b.isLastFixTracked
      && a.speeds.elementsEqual(b.speeds, by: ==)
      && a.receivers.elementsEqual(b.receivers, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(lastGoodTime)
    hasher.combine(lastFix)
  }
}

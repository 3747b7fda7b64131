package import Geodesy

/// What the service remembers across its runs.
package struct ServiceMemory: Hashable, Sendable {
  /// The speed at which each receiver was last heard, by device ID; the most recent last.
  package private(set) var speeds: [(id: String, baud: Int)] = []
  /// What each receiver said of itself, by device ID; the most recent last.
  package private(set) var receivers: [(id: String, note: ReceiverNote)] = []
  /// The latest confirmed time of any receiver.
  package var lastGoodTime: GNSSTime?
  /// The run of the machine in which its clock was last seen to agree with a receiver's confirmed time.
  package var agreedBootID: String?
  /// The latest fix of any receiver.
  package var lastFix: PositionFix?
  /// The source that the service had which gave it, as `--source` names it without a speed; `nil`: not known.
  package var lastFixSource: String?
  /// Whether its receiver had converged.
  package var isLastFixTracked = false

  /// Nothing remembered.
  package init() {}

  /// More receivers than anybody has; the oldest is forgotten.
  package static let maximumSpeeds = 64

  /// The speed at which `id` was last heard.
  package func speed(of id: String) -> Int? { speeds.last { $0.id == id }?.baud }

  /// The speed to try first for `id`: its own, else the one at which any receiver was heard last, which may be this one under
  /// another name.
  package func likelySpeed(of id: String) -> Int? { speed(of: id) ?? speeds.last?.baud }

  /// What `id` said of itself.
  package func note(of id: String) -> ReceiverNote? { receivers.last { $0.id == id }?.note }

  /// Remembers what `id` said of itself; `false` where that was known.
  package mutating func remember(_ note: ReceiverNote, of id: String) -> Bool {
    guard self.note(of: id) != note else { return false }
    receivers.removeAll { $0.id == id }
    if receivers.count == Self.maximumSpeeds { receivers.removeFirst() }
    receivers.append((id, note))
    return true
  }

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

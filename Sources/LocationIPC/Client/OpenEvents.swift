package import LocationPolicy

/// Events of a list that are being told: each is heard once all have had it whom it was told, and was not lost on all of them. What
/// the service tells again, as it does when it comes back, is told nobody twice.
package struct OpenEvents<Hearer: Hashable & Sendable>: Sendable {
  /// As many are remembered that were heard.
  private static var mostRemembered: Int { 256 }

  private struct Open {
    let event: MonitoringEvent
    var hearers: Set<Hearer>
    var isHeard = false
  }

  private var open: [UInt64: Open] = [:]
  /// Heard; the oldest first. A store that had to begin anew counts anew, so that the number alone says nothing.
  private var heard: [MonitoringEvent] = []

  package enum Standing: Hashable, Sendable {
    case new
    case open
    case heard
  }

  /// None yet.
  package init() {}

  /// How it stands with an event that the service tells.
  package func standing(of event: MonitoringEvent) -> Standing {
    let first = event.firstTold
    if open[event.id]?.event == first { return .open }
    return heard.contains(first) ? .heard : .new
  }

  /// An event is being told.
  package mutating func begin(_ event: MonitoringEvent, to hearers: some Sequence<Hearer>) {
    open[event.id] = Open(event: event.firstTold, hearers: Set(hearers))
  }

  package enum End: Hashable, Sendable {
    /// It has been heard, and that is to be said.
    case heard
    /// Nobody has heard it.
    case lost(MonitoringEvent)
  }

  /// Somebody has heard an event, or will not. `nil`: others have still to.
  package mutating func end(_ id: UInt64, for hearer: Hearer, isHeard: Bool) -> End? {
    guard open[id]?.hearers.remove(hearer) != nil, var event = open[id] else { return nil }
    event.isHeard = event.isHeard || isHeard
    open[id] = event
    guard event.hearers.isEmpty else { return nil }
    open[id] = nil
    guard event.isHeard else { return .lost(event.event) }
    note(event.event)
    return .heard
  }

  /// Nobody has to hear it.
  package mutating func note(_ event: MonitoringEvent) {
    if heard.count == Self.mostRemembered { heard.removeFirst() }
    heard.append(event.firstTold)
  }

  /// What somebody who goes has not heard yet.
  package func waiting(for hearer: Hearer) -> [UInt64] {
    open.filter { $0.value.hearers.contains(hearer) }.keys.sorted()
  }
}

extension MonitoringEvent {
  /// The same as it was told the first time.
  fileprivate var firstTold: MonitoringEvent {
    var event = self
    event.attempt = 1
    return event
  }
}

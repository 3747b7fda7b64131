import LocationIPC
import LocationPolicy

/// List events being delivered: an event is acknowledged once every recipient has handled it or gone, unless all of them lost it.
/// Events that the service repeats, as it does when it comes back, are not delivered twice.
struct OpenEvents<Hearer: Hashable & Sendable>: Sendable {
  /// Greatest number of acknowledged events remembered.
  private static var mostRemembered: Int { 256 }

  private struct Open {
    let event: MonitoringEvent
    var hearers: Set<Hearer>
    var isHeard = false
  }

  private var open: [UInt64: Open] = [:]
  /// Acknowledged events, the oldest first. A store that was created again restarts its numbers, so that the number alone does
  /// not identify an event.
  private var heard: [MonitoringEvent] = []

  enum Standing: Hashable, Sendable {
    case new
    case open
    case heard
  }

  /// Creates an empty collection.
  init() {}

  /// The state of an event that the service sends.
  func standing(of event: MonitoringEvent) -> Standing {
    let first = event.firstTold
    if open[event.id]?.event == first { return .open }
    return heard.contains(first) ? .heard : .new
  }

  /// Begins the delivery of an event.
  mutating func begin(_ event: MonitoringEvent, to hearers: some Sequence<Hearer>) {
    open[event.id] = Open(event: event.firstTold, hearers: Set(hearers))
  }

  enum End: Hashable, Sendable {
    /// A recipient has handled the event, and it must be acknowledged.
    case heard
    /// No recipient has handled it.
    case lost(MonitoringEvent)
  }

  /// A recipient has handled an event, or will not. `nil`: others are pending.
  mutating func end(_ id: UInt64, for hearer: Hearer, isHeard: Bool) -> End? {
    guard open[id]?.hearers.remove(hearer) != nil, var event = open[id] else { return nil }
    event.isHeard = event.isHeard || isHeard
    open[id] = event
    guard event.hearers.isEmpty else { return nil }
    open[id] = nil
    guard event.isHeard else { return .lost(event.event) }
    note(event.event)
    return .heard
  }

  /// Remembers an event as acknowledged without delivering it.
  mutating func note(_ event: MonitoringEvent) {
    if heard.count == Self.mostRemembered { heard.removeFirst() }
    heard.append(event.firstTold)
  }

  /// The events that a leaving recipient has not handled yet.
  func waiting(for hearer: Hearer) -> [UInt64] {
    open.filter { $0.value.hearers.contains(hearer) }.keys.sorted()
  }
}

extension MonitoringEvent {
  /// The event as sent the first time.
  fileprivate var firstTold: MonitoringEvent {
    var event = self
    event.attempt = 1
    return event
  }
}

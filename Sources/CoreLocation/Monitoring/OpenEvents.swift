import LocationIPC
import LocationPolicy

/// Events of a monitoring list during their delivery. An event is acknowledged once every recipient has handled it or
/// is gone, and at least one has handled it. Events that the service sends again, as it does after a restart, are not
/// delivered twice.
struct OpenEvents<Recipient: Hashable & Sendable>: Sendable {
  /// Maximum number of acknowledged events that are remembered.
  private static var mostRemembered: Int { 256 }

  private struct Open {
    let event: MonitoringEvent
    var recipients: Set<Recipient>
    var isReceived = false
  }

  private var open: [UInt64: Open] = [:]
  /// Acknowledged events, the oldest first. A recreated store restarts its numbers, so that the number alone does not
  /// identify an event.
  private var acknowledged: [MonitoringEvent] = []

  enum State: Hashable, Sendable {
    case new
    case open
    case acknowledged
  }

  /// Creates an empty collection.
  init() {}

  /// The state of an event that the service sends.
  func state(of event: MonitoringEvent) -> State {
    let first = event.firstReported
    if open[event.id]?.event == first { return .open }
    return acknowledged.contains(first) ? .acknowledged : .new
  }

  /// Begins the delivery of an event.
  mutating func begin(_ event: MonitoringEvent, to recipients: some Sequence<Recipient>) {
    open[event.id] = Open(event: event.firstReported, recipients: Set(recipients))
  }

  enum End: Hashable, Sendable {
    /// A recipient has handled the event, and it must be acknowledged.
    case acknowledged
    /// All recipients are gone, and none has handled the event.
    case lost(MonitoringEvent)
  }

  /// Records that a recipient has handled an event, or will never handle it. `nil`: other recipients have not handled it yet, or it
  /// is not open for this one.
  mutating func end(_ id: UInt64, for recipient: Recipient, isReceived: Bool) -> End? {
    guard open[id]?.recipients.remove(recipient) != nil, var event = open[id] else { return nil }
    event.isReceived = event.isReceived || isReceived
    open[id] = event
    guard event.recipients.isEmpty else { return nil }
    open[id] = nil
    guard event.isReceived else { return .lost(event.event) }
    note(event.event)
    return .acknowledged
  }

  /// Remembers an event as acknowledged without delivering it.
  mutating func note(_ event: MonitoringEvent) {
    if acknowledged.count == Self.mostRemembered { acknowledged.removeFirst() }
    acknowledged.append(event.firstReported)
  }

  /// The events that a leaving recipient has not handled yet.
  func waiting(for recipient: Recipient) -> [UInt64] {
    open.filter { $0.value.recipients.contains(recipient) }.keys.sorted()
  }
}

extension MonitoringEvent {
  /// The event as it was first sent.
  fileprivate var firstReported: MonitoringEvent {
    var event = self
    event.attempt = 1
    return event
  }
}

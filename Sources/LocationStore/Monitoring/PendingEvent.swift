/// An event that has not been told by all its ways.
package struct PendingEvent: Hashable, Sendable {
  package var id: UInt64
  package var event: NewEvent
  /// How often each way was begun, as far as it was.
  package var attempts: [MonitoringDelivery: Int]

  package init(id: UInt64, event: NewEvent, attempts: [MonitoringDelivery: Int] = [:]) {
    self.id = id
    self.event = event
    self.attempts = attempts
  }
}

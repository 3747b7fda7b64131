/// One line of a capture: what came, from which source, when.
package struct CaptureRecord: Hashable, Sendable {
  /// Time since the start of the capture; whole microseconds, 0…`CaptureFormat.latestArrival`.
  package var arrival: Duration
  /// Which source; 0 is the recorder itself, devices count from 1.
  package var source: Int
  /// What it said.
  package var event: CaptureEvent

  /// A record of `event`.
  package init(arrival: Duration, source: Int, event: CaptureEvent) {
    self.arrival = arrival
    self.source = source
    self.event = event
  }
}

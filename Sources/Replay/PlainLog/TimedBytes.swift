/// Bytes of a plain log with the time at which they would have come.
package struct TimedBytes: Hashable, Sendable {
  /// Time since the log's first epoch.
  package var arrival: Duration
  package var bytes: [UInt8]

  package init(arrival: Duration, bytes: [UInt8]) {
    self.arrival = arrival
    self.bytes = bytes
  }
}

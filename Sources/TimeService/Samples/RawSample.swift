package import Geodesy

/// One observation of a receiver's time: the UTC of a fix, and when the first byte of its messages arrived. The difference contains
/// the receiver's own delay, which `OffsetCalibrator` measures.
package struct RawSample: Hashable, Sendable {
  /// The UTC at which the fix is valid.
  package var time: GNSSTime
  /// The clocks when the first byte began to arrive.
  package var arrival: ClockReading

  package init(time: GNSSTime, arrival: ClockReading) {
    self.time = time
    self.arrival = arrival
  }

  /// The receiver's time minus the raw clock, nanoseconds.
  var differenceNanoseconds: Int64 { time.nanosecondsSince1970 &- arrival.rawNanoseconds }
}

/// Why an epoch has no raw sample.
package enum SampleRefusal: UInt8, Hashable, Sendable, CaseIterable {
  /// No silence of a quarter of the cycle preceded its first message, or its first bytes were not observed.
  case noSilence = 0
  /// The event loop was busy when its first bytes arrived.
  case lateLoop = 1
  /// Its first bytes were left in the kernel on purpose.
  case leftUnread = 2
  /// Its first read contains more bytes than a line transfers at once, so that its beginning cannot be computed.
  case largeRead = 3
  /// An earlier epoch began with the same burst.
  case sharesBurst = 4
}

package import Geodesy

/// A moment by a receiver's time and by the machine's clock, for clients that requested `pps`.
package struct GPSDTimeMark: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The beginning of the receiver's output of a second: TOFF.
    case message
    /// A pulse, whose quantization error is corrected: PPS.
    case pulse
  }

  package var kind: Kind
  /// The path of the receiver.
  package var device: String
  /// The receiver's time, and the machine's clock at the same moment: the delay of its messages is corrected.
  package var receiver: GNSSTime
  package var clock: GNSSTime
  /// log₂ of the error in seconds.
  package var precision: Int
  package init(
    _ kind: Kind, device: String, receiver: GNSSTime, clock: GNSSTime, precision: Int
  ) {
    (self.kind, self.device, self.receiver, self.clock) = (kind, device, receiver, clock)
    self.precision = precision
  }
}

/// TOFF and PPS (gpsd_json(5)).
extension GPSDObjectBuffer {
  /// The object, with its line end.
  mutating func append(_ mark: GPSDTimeMark, device: String) {
    switch mark.kind {
    case .message: open("TOFF")
    case .pulse: open("PPS")
    }
    path("device", device)
    let (real, clock) = (mark.receiver.secondsAndNanoseconds, mark.clock.secondsAndNanoseconds)
    number("real_sec", Int(real.seconds))
    number("real_nsec", Int(real.nanoseconds))
    number("clock_sec", Int(clock.seconds))
    number("clock_nsec", Int(clock.nanoseconds))
    number("precision", mark.precision)
    close()
    endLine()
  }
}

package import Geodesy

/// One sample of time for a clock daemon, with the receiver's delay and the pulse's quantization error applied.
package struct TimeSample: Hashable, Sendable {
  /// The reading of the system's clock to which the offset applies.
  package var system: GNSSTime
  /// True time minus the system's clock, seconds.
  package var offsetSeconds: Double
  /// How far the offset may be off, seconds.
  package var uncertaintySeconds: Double
  /// Whether it comes from a pulse, and not from messages.
  package var isPulse: Bool
  package var leap: LeapIndicator

  package init(
    system: GNSSTime, offsetSeconds: Double, uncertaintySeconds: Double, isPulse: Bool, leap: LeapIndicator
  ) {
    (self.system, self.offsetSeconds, self.uncertaintySeconds) = (system, offsetSeconds, uncertaintySeconds)
    (self.isPulse, self.leap) = (isPulse, leap)
  }

  /// For chrony's socket.
  package var sock: SockSample {
    SockSample(system: system, offsetSeconds: offsetSeconds, isPulse: isPulse, leap: leap)
  }

  /// For shared memory. A pulse that the kernel timestamps is accurate to a microsecond.
  package var sharedMemory: SharedMemorySample {
    SharedMemorySample(system: system, offsetSeconds: offsetSeconds, leap: leap, precision: isPulse ? -20 : -7)
  }
}

import GPSDServer
import Geodesy
import TimeService

extension GPSDTimeMark {
  /// The same moment as in a sample for a clock daemon.
  init(_ sample: TimeSample, device: String) {
    // As gpsd reports a pulse that the kernel timestamps: a microsecond.
    let precision = sample.isPulse ? -20 : Self.logarithm(sample.uncertaintySeconds)
    self.init(
      sample.isPulse ? .pulse : .message, device: device,
      receiver: sample.system + .seconds(sample.offsetSeconds), clock: sample.system, precision: precision)
  }

  /// The smallest integer whose power of two is at least `seconds`, from -20 to 0.
  private static func logarithm(_ seconds: Double) -> Int {
    guard seconds > 0, seconds < 1 else { return 0 }
    return max(-20, seconds.exponent + (seconds.significand > 1 ? 1 : 0))
  }
}

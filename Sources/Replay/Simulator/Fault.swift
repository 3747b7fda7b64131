/// Something that goes wrong with a simulated receiver. Times count from power-on; intervals include their beginning and
/// not their end, and go by the epoch that they touch.
package enum Fault: Hashable, Sendable {
  /// No satellites, so no fix; time goes on.
  case lossOfFix(Range<Duration>)
  /// Nothing at all is said; the receiver comes back as if nothing had been.
  case stall(Range<Duration>)
  /// The same position again and again, while time, speed and signals go on.
  case frozenPosition(Range<Duration>)
  /// That many bytes of noise before each epoch of the interval.
  case garbage(Range<Duration>, bytes: Int)
  /// Settings are refused (ACK-NAK).
  case refusedSettings
  /// They are, from then on.
  case refusedSettingsAfter(Duration)
  /// Settings are acknowledged, or answered, so much later.
  case lateAcknowledgements(Duration)
  /// Every `every`-th acknowledgement or answer to a command is not said.
  case forgottenAcknowledgements(every: Int)
  /// Every answer to a setting comes later by something up to this, and one in so many not at all; by chance, as of `seed`.
  case erraticAcknowledgements(upTo: Duration, oneLostIn: Int, seed: UInt64)
  /// After so many answers to settings none is said any more, until that long after power-on; what is told is done.
  case deafenedAfter(answers: Int, until: Duration)
  /// Every `every`-th sentence or message, counted from power-on, has one bit flipped.
  case corruption(every: Int)
  /// The date is 1024 weeks too early, told as if it were right.
  case weekRollover
  /// UTC is off by so many seconds, because the receiver has not heard the number of leap seconds yet.
  case wrongLeapSeconds(Range<Duration>, error: Int)
}

/// Thresholds of `MotionClassifier`, and of whatever has to know what stands still.
///
/// On GeoLife's labelled trips the 85th percentile of the speed alone tells walking, cycling and vehicles apart as well as
/// 0.784 of the time, a forest of 21 features 0.80 in windows of a minute (users held out); so that percentile of about a
/// minute it is, with hysteresis in place of features. GeoLife has no runners: where they begin is known from treadmills.
package enum MotionTuning {
  /// Slower is standing still, m/s, where the receiver knows its speed well (research: drifting cold receivers tell up to 0.5).
  package static let slowSpeed = 0.5
  /// An uncertain speed is slow up to twice its 68 % half-width, but never above this, m/s: a walker does not stand.
  static let greatestSlowSpeed = 1.0
  /// What is slow for so long stands still, seconds: the shortest stop at a crossing that is no stumble.
  static let standstill = 5.0
  /// What stands has to be fast for so many fixes in a row to go: one alone is noise.
  static let departingFixes = 2

  /// People go over to running at this speed, m/s (Hreljac, Medicine & Science in Sports & Exercise 25, 1993: 2.0 to 2.1).
  static let runningSpeed = 2.1
  /// Faster than most run for a minute, slower than most ride, m/s: 14.4 km/h.
  static let cyclingSpeed = 4.0
  /// Faster than most ride, slower than traffic flows, m/s: 29 km/h.
  static let drivingSpeed = 8.0
  /// So far beyond a threshold the speed has to be to change over it: hysteresis, share of the threshold.
  static let margin = 0.1
  /// A car in a jam is slower than a bicycle. What has driven is on foot or on a bicycle after so long below
  /// `drivingSpeed`, seconds.
  static let jam = 120.0
  /// Any other change has to last, seconds.
  static let change = 10.0

  /// The percentile that counts.
  static let percentile = 0.85
  /// Older speeds count less, with this time constant, seconds: about a minute's worth.
  static let memory = 30.0
  /// So many seconds in motion tell the first answer.
  static let least = 5.0
  /// No step of time counts more, seconds: a speed says nothing of a gap.
  static let longestStep = 5.0
}

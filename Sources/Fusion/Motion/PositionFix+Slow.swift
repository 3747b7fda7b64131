package import Geodesy

extension PositionFix {
  /// Whether the speed that it tells is that of something that stands still; `nil`: it tells none.
  package var isSlow: Bool? {
    guard let speed = speedMetersPerSecond else { return nil }
    let noise = 2 * (speedRadius68MetersPerSecond ?? 0)
    return speed < min(max(MotionTuning.slowSpeed, noise), MotionTuning.greatestSlowSpeed)
  }
}

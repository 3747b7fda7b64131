package import Geodesy

extension Estimator {
  /// What is believed at `now`, between and after positions: the track goes on as it went, slower and slower, and its radius
  /// grows. `nil` before the first satellite fix. Nothing is changed by asking.
  ///
  /// Its `receivedAt` stays that of the last fix, so that its age can still be told; it must not be grown a second time.
  package func estimate(at now: Instant) -> PositionFix? {
    guard let last, let frame else { return nil }
    let seconds = sequence.seconds(at: now) - last.seconds
    guard seconds > 0 else { return last.fix }
    let speed = last.belief.velocity.length
    let way = speed > 0 ? RadiusModel.way(at: speed, seconds: seconds, tuning.radius) / speed : 0
    var fix = last.fix
    fix.coordinate = frame.coordinate(at: last.belief.place + last.belief.velocity * way)
    fix.horizontalRadius68 = Meters(
      RadiusModel.coasted(
        last.fix.horizontalRadius68.value, seconds: seconds, speed: speed, tuning.radius))
    fix.time = last.fix.time + .nanoseconds(Int64(min(seconds, 1e9) * 1e9))
    return fix
  }
}

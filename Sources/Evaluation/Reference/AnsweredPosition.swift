package import Geodesy

/// One answer to the question where something is, or was.
package struct AnsweredPosition: Hashable, Sendable {
  /// The time that the answer is about.
  package let time: GNSSTime
  /// When it was given, by the same clock: later than `time` where it had to wait for what came after.
  package let answeredAt: GNSSTime
  /// What was answered.
  package let coordinate: Coordinate
  /// The radius that was claimed to hold 68 % of the errors, > 0; `nil`: none.
  package let radius68: Meters?

  package init(time: GNSSTime, answeredAt: GNSSTime, coordinate: Coordinate, radius68: Meters?) {
    self.time = time
    self.answeredAt = answeredAt
    self.coordinate = coordinate
    self.radius68 = radius68
  }

  /// The answer that a fix is: for `answeredAt` nothing, or the time of the fix that brought it.
  package init(_ fix: PositionFix, answeredAt: GNSSTime? = nil) {
    self.init(
      time: fix.time, answeredAt: answeredAt ?? fix.time, coordinate: fix.coordinate, radius68: fix.horizontalRadius68)
  }
}

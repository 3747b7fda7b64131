import Fusion
import Geodesy

/// A gap on a straight road.
enum GapFigure {
  /// The error after ten seconds without a fix, relative to the error of the last fix, at 14 m/s.
  static var share: Double {
    let origin = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
    func place(_ second: Int) -> Coordinate {
      Geodesic.direct(from: origin, course: Angle(degrees: 30), distance: Meters(14 * Double(second))).coordinate
    }
    var estimator = Estimator()
    for second in 0...60 {
      let time = Int64(second) * 1_000_000_000
      var fix = PositionFix(
        time: GNSSTime(nanosecondsSince1970: time), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time),
        coordinate: place(second), horizontalRadius68: Meters(2), kind: .threeDimensional, technologies: .gnss)
      fix.speedMetersPerSecond = 14
      fix.course = Angle(degrees: 30)
      _ = estimator.handle(fix, at: fix.receivedAt)
    }
    guard let end = estimator.estimate(at: Instant(nanoseconds: 70_000_000_000)) else { return .infinity }
    let truth = place(70)
    func meters(_ place: Coordinate) -> Double { Geodesic.inverse(from: place, to: truth).distance.value }
    return meters(end.coordinate) / meters(place(60))
  }
}

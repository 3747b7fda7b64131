import Geodesy

extension PositionFix {
  /// A fix this many seconds after the start.
  static func at(
    _ seconds: Double, _ place: Coordinate, radius: Double = 4, speed: Double? = nil, course: Double? = nil,
    qualityFlag: FixQualityFlag? = nil
  ) -> PositionFix {
    let time = Self.beginning + .microseconds(Int((seconds * 1e6).rounded()))
    var fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
      coordinate: place, horizontalRadius68: Meters(radius), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    fix.course = course.map { Angle(degrees: $0) }
    fix.qualityFlag = qualityFlag
    return fix
  }

  static let beginning = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000)
}

extension Coordinate {
  init(_ latitude: Double, _ longitude: Double) {
    self.init(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  /// The position this many meters east and north of this one.
  func moved(east: Double, north: Double) -> Coordinate {
    LocalFrame(origin: self).coordinate(at: .init(eastMeters: east, northMeters: north))
  }
}

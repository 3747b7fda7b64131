import GNSSReceiver
package import Geodesy

/// One row of a table of positions. Empty fields are `nil`.
package struct PositionRow: Hashable, Sendable {
  /// The time column, converted from seconds to nanoseconds.
  package let time: GNSSTime
  package let coordinate: Coordinate
  /// The horizontal error that the receiver reported, √(σN² + σE²) in meters, > 0.
  package var accuracyMeters: Double?
  /// Speed over ground, ≥ 0.
  package var speedMetersPerSecond: Double?
  /// Direction of travel, 0…<360° clockwise from true north.
  package var course: Angle?
  /// The true position.
  package let truth: Coordinate?

  /// The row with these values, all within their ranges; `nil` without a time or a coordinate.
  init?(_ values: [TableColumn: Double]) {
    guard let seconds = values[.time], let latitude = values[.latitude], let longitude = values[.longitude],
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else { return nil }
    time = GNSSTime(nanosecondsSince1970: Int64((seconds * 1e9).rounded()))
    self.coordinate = coordinate
    accuracyMeters = values[.accuracy]
    speedMetersPerSecond = values[.speed]
    course = values[.course].map { Angle(degrees: $0 == 360 ? 0 : $0) }
    if let latitude = values[.trueLatitude], let longitude = values[.trueLongitude] {
      truth = Coordinate(checkingLatitude: latitude, longitude: longitude)
    } else {
      truth = nil
    }
  }
}

extension PositionRow {
  /// The row as a fix from a receiver that reports these values. The time of arrival is the row's time, the only clock.
  package var fix: PositionFix {
    var evidence = AccuracyEvidence()
    evidence.horizontalAccuracyMeters = accuracyMeters
    var fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
      coordinate: coordinate,
      horizontalRadius68: AccuracyModel.horizontalRadius68(of: evidence, kind: .threeDimensional),
      kind: .threeDimensional, technologies: .gnss)
    fix.horizontalRadiusBasis = AccuracyModel.horizontalRadiusBasis(of: evidence)
    fix.speedMetersPerSecond = speedMetersPerSecond
    fix.course = course
    fix.isSimulated = true
    return fix
  }
}

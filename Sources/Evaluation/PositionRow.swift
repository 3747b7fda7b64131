package import Geodesy
import GNSSReceiver

/// One row of a table of positions. What its fields leave empty is `nil`.
package struct PositionRow: Hashable, Sendable {
  /// Seconds of the table, as nanoseconds.
  package let time: GNSSTime
  package let coordinate: Coordinate
  /// What the receiver said of its horizontal error, √(σN² + σE²) in metres, > 0.
  package var accuracyMeters: Double?
  /// Speed over ground, ≥ 0.
  package var speedMetersPerSecond: Double?
  /// 0…<360°.
  package var course: Angle?
  /// Where it truly was.
  package let truth: Coordinate?

  /// The row of these numbers, all within their ranges; `nil` where there is no time or no place.
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
  /// The row as the fix that a receiver would have been taken to tell. Its time is all the clock there is.
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

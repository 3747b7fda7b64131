import Geodesy

/// Virtual time and fixes for transcripts: all times are in seconds since the start of the transcript.
extension Instant {
  /// The start of every transcript, far from the clock's own start.
  static let start = Instant(nanoseconds: 1_000_000_000_000)

  /// `seconds` after the start.
  static func seconds(_ seconds: Double) -> Instant { start + .exactly(seconds) }
}

extension Duration {
  /// `seconds` to the microsecond, so that 1.2 s and 200 ms agree.
  static func exactly(_ seconds: Double) -> Duration { .microseconds(Int((seconds * 1e6).rounded())) }
}

extension PositionFix {
  /// A fix that arrives `seconds` after the start; it stands still unless a speed is given.
  static func at(
    _ seconds: Double, radius: Double, speed: Double? = 0, latitude: Double = 50, qualityFlag: FixQualityFlag? = nil
  ) -> PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000) + .exactly(seconds), timeValidity: .confirmed,
      receivedAt: .seconds(seconds),
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(radius), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    fix.qualityFlag = qualityFlag
    return fix
  }
}

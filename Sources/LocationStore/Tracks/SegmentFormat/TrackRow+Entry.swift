import Geodesy

/// Conversion back from integers. Files can contain anything: values that no fix can have are rejected.
extension TrackRow {
  /// The entry in these columns; `nil` if they are invalid.
  func entry(sources: [TrackSource]) -> TrackEntry? {
    guard self[.entry] == 0 else { return TrackInterruption(code: self[.entry]).map { .interruption($0) } }
    return fix(sources: sources).map { .fix($0) }
  }

  private func fix(sources: [TrackSource]) -> PositionFix? {
    guard let time, let arrival,
      let coordinate = Coordinate(
        checkingLatitude: Double(self[.latitude]) / 1e9, longitude: Double(self[.longitude]) / 1e9),
      let radius = value(.horizontalRadius, 1e3), radius > 0,
      let kind = FixKind(rawValue: quality(at: 0, width: 3)),
      let validity = TimeValidity(rawValue: quality(at: 3, width: 2)), self[.quality] >> 17 == 0
    else { return nil }
    var fix = PositionFix(
      time: time, timeValidity: validity, receivedAt: arrival, coordinate: coordinate,
      horizontalRadius68: Meters(radius), kind: kind, technologies: Technologies(rawValue: quality(at: 8, width: 8)))
    let qualityFlag = quality(at: 5, width: 2)
    if qualityFlag > 0 { fix.qualityFlag = FixQualityFlag(rawValue: qualityFlag - 1) }
    fix.isSimulated = quality(at: 7, width: 1) == 1
    fix.isImported = quality(at: 16, width: 1) == 1
    guard fillOptional(&fix), fillSource(&fix, sources) else { return nil }
    return fix
  }

  private func fillOptional(_ fix: inout PositionFix) -> Bool {
    let known = Known(rawValue: self[.known])
    guard known.rawValue >> 9 == 0 else { return false }
    if known.contains(.heightAboveEllipsoid) {
      guard let height = value(.heightAboveEllipsoid, 1e3) else { return false }
      fix.heightAboveEllipsoid = Meters(height)
    }
    if known.contains(.heightAboveSeaLevel) {
      let base = known.contains(.heightAboveEllipsoid) ? self[.heightAboveEllipsoid] : 0
      guard let height = Self.unscaled(self[.heightAboveSeaLevel] &+ base, 1e3) else { return false }
      fix.heightAboveMeanSeaLevel = Meters(height)
    }
    var isWhole = true
    func read(_ column: TrackColumn, _ field: Known, _ factor: Double, from least: Double) -> Double? {
      guard known.contains(field) else { return nil }
      guard let value = value(column, factor), value >= least else {
        isWhole = false
        return nil
      }
      return value
    }
    fix.verticalRadius68 = read(.verticalRadius, .verticalRadius, 1e3, from: 0.001).map { Meters($0) }
    fix.speedMetersPerSecond = read(.speed, .speed, 1e3, from: 0)
    fix.speedRadius68MetersPerSecond = read(.speedRadius, .speedRadius, 1e3, from: 0.001)
    fix.course = read(.course, .course, 1e3, from: 0).map { Angle(degrees: $0) }
    fix.courseRadius68 = read(.courseRadius, .courseRadius, 1e2, from: 0).map { Angle(degrees: $0) }
    // A block without this column has zeros instead.
    fix.hdop = read(.hdop, .hdop, 1e2, from: 0.01)
    if let hdop = fix.hdop, hdop >= 100 { return false }
    if let course = fix.course, course.degrees >= 360 { return false }
    if let radius = fix.courseRadius68, radius.degrees > 180 { return false }
    if known.contains(.satellites) {
      guard self[.satellites] >= 0 else { return false }
      fix.satellitesUsed = Int(self[.satellites])
    }
    return isWhole
  }

  private func fillSource(_ fix: inout PositionFix, _ sources: [TrackSource]) -> Bool {
    guard self[.source] != 0 else { return true }
    guard self[.source] > 0, self[.source] <= sources.count else { return false }
    let source = sources[Int(self[.source]) - 1]
    fix.device = source.device
    fix.receiver = source.receiver
    return true
  }

  private var time: GNSSTime? {
    let (nanoseconds, overflow) = self[.time].multipliedReportingOverflow(by: 1000)
    return overflow ? nil : GNSSTime(nanosecondsSince1970: nanoseconds)
  }

  private var arrival: Instant? {
    let (milliseconds, underflow) = Self.floored(self[.time], by: 1000).subtractingReportingOverflow(self[.clockOffset])
    let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return underflow || overflow ? nil : Instant(nanoseconds: nanoseconds)
  }

  private func quality(at bit: Int64, width: Int64) -> UInt8 {
    UInt8(truncatingIfNeeded: self[.quality] >> bit & (1 << width - 1))
  }

  private func value(_ column: TrackColumn, _ factor: Double) -> Double? { Self.unscaled(self[column], factor) }

  private static func unscaled(_ value: Int64, _ factor: Double) -> Double? {
    let scaled = Double(value)
    return scaled.magnitude < limit ? scaled / factor : nil
  }
}

package import Geodesy

/// An entry of a track as integers, one per column.
struct TrackRow {
  private var values = InlineArray<18, Int64>(repeating: 0)

  subscript(column: TrackColumn) -> Int64 {
    get { values[column.rawValue] }
    set { values[column.rawValue] = newValue }
  }

  /// All zeros.
  init() {}

  /// Which optional fields are known.
  struct Known: OptionSet {
    let rawValue: Int64
    static let heightAboveEllipsoid = Known(rawValue: 1 << 0)
    static let heightAboveSeaLevel = Known(rawValue: 1 << 1)
    static let verticalRadius = Known(rawValue: 1 << 2)
    static let speed = Known(rawValue: 1 << 3)
    static let speedRadius = Known(rawValue: 1 << 4)
    static let course = Known(rawValue: 1 << 5)
    static let courseRadius = Known(rawValue: 1 << 6)
    static let satellites = Known(rawValue: 1 << 7)
    static let hdop = Known(rawValue: 1 << 8)
  }

  /// The columns of a fix. Unknown values repeat those of `previous`, so that they take no room. `nil` for a fix
  /// without a position: its coordinate or radius is not a number or is out of range.
  init?(_ fix: PositionFix, source: Int, previous: TrackRow) {
    let (latitude, longitude) = (fix.coordinate.latitude.degrees, fix.coordinate.longitude.degrees)
    guard Coordinate(checkingLatitude: latitude, longitude: longitude) != nil,
      let radius = Self.scaled(fix.horizontalRadius68.value, by: 1e3), fix.horizontalRadius68.value > 0
    else { return nil }
    self = previous
    self[.entry] = 0
    self[.time] = Self.floored(fix.time.nanosecondsSince1970, by: 1000)
    self[.clockOffset] = Self.floored(self[.time], by: 1000) - Self.floored(fix.receivedAt.nanoseconds, by: 1_000_000)
    self[.latitude] = Int64((latitude * 1e9).rounded())
    self[.longitude] = Int64((longitude * 1e9).rounded())
    // A radius above zero must not become zero by rounding.
    self[.horizontalRadius] = max(1, radius)
    self[.source] = Int64(source)
    self[.quality] =
      Int64(fix.kind.rawValue) | Int64(fix.timeValidity.rawValue) << 3
      | Int64(fix.qualityFlag.map { $0.rawValue + 1 } ?? 0) << 5 | (fix.isSimulated ? 1 : 0) << 7
      | Int64(fix.technologies.rawValue) << 8 | (fix.isImported ? 1 : 0) << 16
    fillOptional(fix)
  }

  private mutating func fillOptional(_ fix: PositionFix) {
    var known: Known = []
    func set(_ column: TrackColumn, _ field: Known, _ value: Int64?) {
      guard let value else { return }
      known.insert(field)
      self[column] = value
    }
    let ellipsoid = Self.scaled(fix.heightAboveEllipsoid?.value, by: 1e3)
    set(.heightAboveEllipsoid, .heightAboveEllipsoid, ellipsoid)
    set(
      .heightAboveSeaLevel, .heightAboveSeaLevel,
      Self.scaled(fix.heightAboveMeanSeaLevel?.value, by: 1e3).map { $0 - (ellipsoid ?? 0) })
    set(.verticalRadius, .verticalRadius, Self.positive(fix.verticalRadius68?.value, by: 1e3))
    set(.speed, .speed, Self.scaled(fix.speedMetersPerSecond, by: 1e3).flatMap { $0 >= 0 ? $0 : nil })
    set(.speedRadius, .speedRadius, Self.positive(fix.speedRadius68MetersPerSecond, by: 1e3))
    set(.course, .course, Self.scaled(fix.course?.degrees, by: 1e3).flatMap { $0 >= 0 ? $0 % 360_000 : nil })
    set(
      .courseRadius, .courseRadius,
      Self.scaled(fix.courseRadius68?.degrees, by: 1e2).flatMap { $0 >= 0 ? min($0, 18_000) : nil })
    set(.satellites, .satellites, fix.satellitesUsed.flatMap { $0 >= 0 ? Int64($0) : nil })
    set(.hdop, .hdop, Self.positive(fix.hdop.flatMap { $0 < 100 ? $0 : nil }, by: 1e2))
    self[.known] = known.rawValue
  }

  /// Whether the row needs the column `hdop`.
  var hasDilution: Bool { Known(rawValue: self[.known]).contains(.hdop) }

  /// The columns of an interruption: those of `neighbour`, so that the interruption takes no room next to that row.
  init(_ interruption: TrackInterruption, neighbour: TrackRow) {
    self = neighbour
    self[.entry] = interruption.code
  }

  /// Values beyond this limit are invalid; values within it can be added without overflow.
  static let limit = 1e15

  private static func scaled(_ value: Double?, by factor: Double) -> Int64? {
    guard let value, (value * factor).magnitude < limit else { return nil }
    return Int64((value * factor).rounded())
  }

  private static func positive(_ value: Double?, by factor: Double) -> Int64? {
    guard let value, value > 0 else { return nil }
    return scaled(value, by: factor).map { max(1, $0) }
  }

  /// Rounded down, also below zero, so that the order of two times is preserved.
  static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The columns of a track's entry, each an integer in its own unit, which is no coarser than what any format writes and
/// negligible compared with the errors of a receiver.
enum TrackColumn: Int, CaseIterable {
  /// 0: a fix; otherwise the code of an interruption (`TrackInterruption.init(code:)`).
  case entry
  /// The time of the fix, microseconds since 1970.
  case time
  /// The fix's time minus its arrival by the monotonic clock, both in whole milliseconds: the offset between the two clocks.
  case clockOffset
  /// 10⁻⁹ °: a tenth of a millimeter, the unit of UBX's high precision.
  case latitude, longitude
  /// Millimeters, the unit of UBX and finer than NMEA's.
  case horizontalRadius
  case heightAboveEllipsoid
  /// Height above sea level; if both heights are known, the difference from the height above the ellipsoid, which
  /// hardly changes.
  case heightAboveSeaLevel
  case verticalRadius
  /// Millimeters per second.
  case speed, speedRadius
  /// 0.001°.
  case course
  /// 0.01°.
  case courseRadius
  case satellites
  /// A bit for each optional field that is known (`TrackRow.Known`).
  case known
  /// Kind, validity of the time, quality flag, technologies, and whether it is simulated or imported (`TrackRow`).
  case quality
  /// 0: neither device nor receiver known; otherwise one more than the index in the segment's table.
  case source
  /// 0.01, the unit of NMEA and UBX. Only blocks of a newer format have this column (`TrackBlockFormat`).
  case hdop

  /// All columns, in the order of the file.
  static let all = allCases
  /// The columns of a block without `hdop`.
  static let withoutDilution = all.filter { $0 != .hdop }
}

/// The source of fixes. A segment's header lists its sources; each fix refers to one by number.
package struct TrackSource: Hashable, Sendable {
  /// Maximum length in bytes; longer names are not stored.
  package static let maximumLength = 255

  /// Path of the device.
  package let device: String?
  /// Identity of the receiver.
  package let receiver: String?

  package init(device: String?, receiver: String?) {
    func kept(_ name: String?) -> String? {
      name.flatMap { $0.isEmpty || $0.utf8.count > Self.maximumLength ? nil : $0 }
    }
    self.device = kept(device)
    self.receiver = kept(receiver)
  }

  /// The source of a fix.
  package init(of fix: PositionFix) { self.init(device: fix.device, receiver: fix.receiver) }

  var isUnknown: Bool { device == nil && receiver == nil }
}

/// The codes of interruptions in files; they never change.
extension TrackInterruption {
  var code: Int64 { Int64(rawValue) + 1 }

  init?(code: Int64) {
    guard let number = UInt8(exactly: code &- 1) else { return nil }
    self.init(rawValue: number)
  }
}

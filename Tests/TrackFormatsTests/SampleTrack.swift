import Geodesy
import TrackFormats

/// Tracks for the tests of the formats.
enum SampleTrack {
  /// 2026-03-01T12:34:56.789Z.
  static let start = GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000)

  /// A fix with both heights, `seconds` after the start.
  static func fix(
    _ latitude: Double, _ longitude: Double, after seconds: Double = 0, _ change: (inout PositionFix) -> Void = { _ in }
  ) -> PositionFix {
    var fix = PositionFix(
      time: start + .seconds(seconds), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 5),
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      horizontalRadius68: Meters(2.5), kind: .threeDimensional, technologies: .gnss)
    fix.heightAboveEllipsoid = Meters(593.4)
    fix.heightAboveMeanSeaLevel = Meters(545.4)
    fix.verticalRadius68 = Meters(4.25)
    fix.speedMetersPerSecond = 11.525
    fix.course = Angle(degrees: 84.4)
    fix.satellitesUsed = 9
    fix.device = "/dev/ttyACM0"
    change(&fix)
    return fix
  }

  /// A possible name of a malicious device.
  static let hostile = "=<&\u{0}\u{1B}[2J]]>\"'\r\n,\u{FFFF}\u{202E}é😀"

  /// Everything together: kinds, heights, gaps, unusual times, unusual names, the poles and the date line.
  static var everything: [TrackEntry] {
    let times: [Int64] = [0, -1_000_000_000, 4_102_444_800_123_000_000, 2_147_483_648_000_000_000, 999_999_999]
    let kinds: [FixKind] = [.estimated, .twoDimensional, .threeDimensional, .differential, .rtkFloat, .rtkFixed]
    var entries: [TrackEntry] = [.interruption(.started)]
    for (index, kind) in kinds.enumerated() {
      let latitude = 48.1173 + Double(index) * 1e-7
      entries.append(.fix(fix(latitude, 11.516666667, after: Double(index) * 0.1) { $0.kind = kind }))
    }
    entries += [.interruption(.gap), .interruption(.resumed)]
    for time in times { entries.append(.fix(fix(-33.8, -70.5) { $0.time = GNSSTime(nanosecondsSince1970: time) })) }
    entries += [
      .interruption(.paused),
      .fix(fix(90, 0, after: 10)), .fix(fix(-90, 180, after: 11)), .fix(fix(0, -180, after: 12)),
      .fix(fix(1e-9, 179.9999999999, after: 13)), .fix(fix(-16.5, -179.9999, after: 14)),
      .interruption(.gap),
      .fix(
        fix(47, 8, after: 20) {
          $0.device = hostile
          $0.receiver = hostile
          $0.qualityFlag = .implausible
          $0.isSimulated = true
        }),
      .fix(fix(47, 8, after: 21) { $0.heightAboveEllipsoid = nil }),
      .fix(fix(47, 8, after: 22) { $0.heightAboveMeanSeaLevel = nil }),
      .fix(
        fix(47, 8, after: 23) {
          $0.heightAboveMeanSeaLevel = nil
          $0.heightAboveEllipsoid = Meters(.nan)
          $0.speedMetersPerSecond = .infinity
          $0.satellitesUsed = -3
        }),
      .fix(fix(.nan, 8)), .fix(fix(91, 8)), .fix(fix(8, 181)),
    ]
    return entries
  }

  /// A drive of `count` fixes that are one second apart, all in one segment.
  static func drive(_ count: Int) -> [TrackEntry] {
    (0..<count).map { .fix(fix(47 + Double($0) * 1.234567e-5, 8 - Double($0) * 0.987654e-5, after: Double($0))) }
  }

  /// The whole document of `entries`.
  static func document(
    _ format: TrackFormat, _ entries: [TrackEntry], name: String? = nil, created: GNSSTime? = nil
  ) -> [UInt8] {
    var document = TrackDocument(format, name: name, created: created)
    var bytes: [UInt8] = []
    for entry in entries { document.write(entry, to: &bytes) }
    document.finish(to: &bytes)
    return bytes
  }

  static func text(_ format: TrackFormat, _ entries: [TrackEntry]) -> String {
    String(decoding: document(format, entries), as: UTF8.self)
  }
}

import Geodesy
import TrackFormats
import locationctl

/// Fixes that the format tests write.
enum SampleFix {
  /// A fix at 2026-03-01T12:34:56.789Z, with every value known.
  static var full: LocatedFix {
    var fix = bare.fix
    fix.timeValidity = .confirmed
    fix.heightAboveEllipsoid = Meters(593.4)
    fix.heightAboveMeanSeaLevel = Meters(545.4)
    fix.verticalRadius68 = Meters(4.25)
    fix.speedMetersPerSecond = 11.525
    fix.speedRadius68MetersPerSecond = 0.12
    fix.course = Angle(degrees: 84.4)
    fix.courseRadius68 = Angle(degrees: 1.5)
    fix.satellitesUsed = 9
    fix.technologies = [.gnss, .wifi]
    fix.device = "/dev/ttyACM0"
    fix.receiver = "u-blox 8 \"x\""
    return LocatedFix(fix, age: .milliseconds(125))
  }

  /// A fix with only the values that every fix has.
  static var bare: LocatedFix {
    LocatedFix(
      PositionFix(
        time: GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000), timeValidity: .dateUnconfirmed,
        receivedAt: Instant(nanoseconds: 5), coordinate: coordinate(48.1173, 11.516666667),
        horizontalRadius68: Meters(2.5), kind: .threeDimensional, technologies: .gnss),
      age: .zero)
  }

  static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  /// `full` with a change.
  static func with(_ change: (inout PositionFix) -> Void) -> LocatedFix {
    var located = full
    change(&located.fix)
    return located
  }
}

/// The bytes as text.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

import Geodesy
import TestSupport

extension PositionFix {
  /// A fix with any valid values, and some invalid ones.
  static func anything(_ random: inout SplitMix64) -> PositionFix {
    var random = random.next() % 2 == 0 ? SplitMix64(seed: random.next()) : random
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: .random(in: .min ... .max, using: &random)),
      timeValidity: TimeValidity(rawValue: .random(in: 0...3, using: &random)) ?? .none,
      receivedAt: Instant(nanoseconds: .random(in: .min ... .max, using: &random)),
      coordinate: Coordinate(
        latitude: Angle(degrees: number(-90...90)), longitude: Angle(degrees: number(-180...180))),
      horizontalRadius68: Meters(number(0.0001...20_037_508)),
      kind: FixKind(rawValue: .random(in: 0...5, using: &random)) ?? .estimated,
      technologies: Technologies(rawValue: .random(in: 0...255, using: &random)))
    fix.heightAboveEllipsoid = maybe(Meters(number(-1e4...1e7)))
    fix.heightAboveMeanSeaLevel = maybe(Meters(number(-1e4...1e7)))
    fix.verticalRadius68 = maybe(Meters(number(0.0001...1e5)))
    fix.speedMetersPerSecond = maybe(number(0...8000))
    fix.speedRadius68MetersPerSecond = maybe(number(0.0001...1000))
    fix.course = maybe(Angle(degrees: number(0...(360.0).nextDown)))
    fix.courseRadius68 = maybe(Angle(degrees: number(0...180)))
    fix.satellitesUsed = maybe(.random(in: 0...80, using: &random))
    fix.qualityFlag = maybe(FixQualityFlag(rawValue: .random(in: 0...2, using: &random)) ?? .frozen)
    fix.hdop = maybe(number(0.0001...99.99))
    fix.isSimulated = Bool.random(using: &random)
    if Bool.random(using: &random) {
      fix.device = "/dev/ttyACM0"
      fix.receiver = "usb-1546-01a9-serial"
    }
    return fix
  }

  /// Whether this is what a track stores of `fix`.
  func isWithinUnits(of fix: PositionFix) -> Bool {
    func agrees(_ a: Double?, _ b: Double?, _ unit: Double) -> Bool {
      guard let a, let b else { return (a == nil) == (b == nil) }
      // Half a unit, plus the rounding of a `Double` of that size; the smallest values are rounded to a whole unit.
      return abs(a - b) <= 0.5 * unit + b.ulp + 1e-12 || a == unit && b < unit
    }
    func turns(_ a: Angle?, _ b: Angle?) -> Bool {
      guard let a, let b else { return (a == nil) == (b == nil) }
      let difference = abs(a.degrees - b.degrees)
      return min(difference, 360 - difference) <= 0.000_501
    }
    let late = fix.time.nanosecondsSince1970 &- time.nanosecondsSince1970
    let lateArrival = fix.receivedAt.nanoseconds &- receivedAt.nanoseconds
    return (0..<1000).contains(late) && (0..<1_000_000).contains(lateArrival) && timeValidity == fix.timeValidity
      && agrees(coordinate.latitude.degrees, fix.coordinate.latitude.degrees, 1e-9)
      && agrees(coordinate.longitude.degrees, fix.coordinate.longitude.degrees, 1e-9)
      && agrees(horizontalRadius68.value, fix.horizontalRadius68.value, 1e-3)
      && agrees(heightAboveEllipsoid?.value, fix.heightAboveEllipsoid?.value, 1e-3)
      && agrees(heightAboveMeanSeaLevel?.value, fix.heightAboveMeanSeaLevel?.value, 1e-3)
      && agrees(verticalRadius68?.value, fix.verticalRadius68?.value, 1e-3)
      && agrees(speedMetersPerSecond, fix.speedMetersPerSecond, 1e-3)
      && agrees(speedRadius68MetersPerSecond, fix.speedRadius68MetersPerSecond, 1e-3)
      && turns(course, fix.course) && agrees(courseRadius68?.degrees, fix.courseRadius68?.degrees, 1e-2)
      && agrees(hdop, fix.hdop, 1e-2)
      && satellitesUsed == fix.satellitesUsed && qualityFlag == fix.qualityFlag && isSimulated == fix.isSimulated
      && kind == fix.kind && technologies == fix.technologies && device == fix.device && receiver == fix.receiver
  }
}

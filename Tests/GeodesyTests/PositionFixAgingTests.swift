import Geodesy
import Testing

@Suite struct PositionFixAgingTests {
  private func fix(radius: Double, speed: Double?) -> PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 0), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: 1), longitude: Angle(degrees: 2)),
      horizontalRadius68: Meters(radius), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    return fix
  }

  private func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

  // A 10 s old fix at 30 m/s is 300 m off whatever its radius was. A device that stood still an hour ago may have set
  // out since.
  @Test(arguments: [(30.0, 10, 305.0), (0, 60, 5), (0, 3600, 5405), (nil, 10, 20), (30, 0, 5), (-3, 10, 5)])
  func radiusIncludesAgeTimesSpeed(speed: Double?, age: Int64, radius: Double) {
    #expect(fix(radius: 5, speed: speed).horizontalRadius68(at: instant(age)).value == radius)
    #expect(fix(radius: 5, speed: speed).grown(to: instant(age)).horizontalRadius68.value == radius)
  }

  @Test func thereIsNoAgeBelowZero() {
    #expect(fix(radius: 5, speed: 30).age(at: instant(-10)) == .zero)
    #expect(fix(radius: 5, speed: 30).horizontalRadius68(at: instant(-10)).value == 5)
  }

  @Test func nothingGrowsBeyondTheEarth() {
    let radius = fix(radius: 5, speed: 1e6).horizontalRadius68(at: Instant(nanoseconds: .max))
    #expect(radius == PositionFix.greatestRadius68)
  }

  @Test func onlyTheRadiusChanges() {
    let young = fix(radius: 5, speed: 1)
    var old = young.grown(to: instant(4))
    #expect(old.horizontalRadius68.value == 9)
    old.horizontalRadius68 = young.horizontalRadius68
    #expect(old == young)
  }
}

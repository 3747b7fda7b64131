import Foundation
import Geodesy
import Testing

@Suite struct GeodesicTests {
  /// Karney's reference lines; the first line of the file describes them.
  private static let reference = ProcessInfo.processInfo.environment["LOCATION_DATA"].map {
    $0 + "/geodesy/geodtest_exact_6000.dat"
  }

  /// lat1 lon1 azi1 lat2 lon2 azi2 s12 a12 m12 …
  private struct ReferenceLine {
    let first, second: Coordinate
    let initialCourse, finalCourse: Double
    let distance, reducedLength: Double

    init?(_ line: some StringProtocol) {
      let values = line.split(separator: " ").compactMap { Double($0) }
      guard values.count == 12, let first = Coordinate(checkingLatitude: values[0], longitude: values[1]),
        let second = Coordinate(checkingLatitude: values[3], longitude: values[4])
      else { return nil }
      (self.first, self.second) = (first, second)
      (initialCourse, finalCourse, distance, reducedLength) = (values[2], values[5], values[6], values[8])
    }
  }

  private static func referenceLines() throws -> [ReferenceLine] {
    let text = try String(contentsOfFile: #require(reference), encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { ReferenceLine($0) }
  }

  /// The angle between two courses in radians.
  private func turn(_ a: Angle, _ b: Double) -> Double {
    abs((a.degrees - b).remainder(dividingBy: 360)) * .pi / 180
  }

  @Test(.enabled(if: reference != nil, "LOCATION_DATA is not set")) func inverseAgreesWithTheReference() throws {
    let lines = try Self.referenceLines()
    // One of the 6,000 lines is an error message of the program that generated them.
    #expect(lines.count == 5999)
    var (worstDistance, worstEnd) = (0.0, 0.0)
    for line in lines {
      let result = Geodesic.inverse(from: line.first, to: line.second)
      worstDistance = max(worstDistance, abs(result.distance.value - line.distance))
      // A course is only as precise as the shift of the end point that it causes.
      let leverage = abs(line.reducedLength)
      worstEnd = max(worstEnd, turn(result.initialCourse, line.initialCourse) * leverage)
      worstEnd = max(worstEnd, turn(result.finalCourse, line.finalCourse) * leverage)
    }
    #expect(worstDistance < 15e-9)
    #expect(worstEnd < 10e-9)
  }

  @Test(.enabled(if: reference != nil, "LOCATION_DATA is not set")) func directAgreesWithTheReference() throws {
    var worst = 0.0
    var worstCourse = 0.0
    for line in try Self.referenceLines() {
      let result = Geodesic.direct(
        from: line.first, course: Angle(degrees: line.initialCourse), distance: Meters(line.distance))
      let north = (result.coordinate.latitude.degrees - line.second.latitude.degrees) * .pi / 180 * 6_378_137
      let east =
        (result.coordinate.longitude.degrees - line.second.longitude.degrees).remainder(dividingBy: 360) * .pi / 180
        * 6_378_137 * cos(line.second.latitude.radians)
      worst = max(worst, hypot(north, east))
      worstCourse = max(worstCourse, turn(result.finalCourse, line.finalCourse) * cos(line.second.latitude.radians))
    }
    #expect(worst < 20e-9)
    #expect(worstCourse < 5e-15)
  }

  private func point(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(checkingLatitude: latitude, longitude: longitude))
  }

  @Test func onePointIsNoDistance() throws {
    for latitude in [-90.0, -45.5, 0, 37.25, 90] {
      for longitude in [-180.0, -0.1, 0, 12.34, 180] {
        let result = Geodesic.inverse(from: try point(latitude, longitude), to: try point(latitude, longitude))
        #expect(result.distance.value == 0)
        #expect(result.initialCourse.degrees == 0)
      }
    }
  }

  @Test func eitherNameOfTheDateLineIsTheSamePlace() throws {
    #expect(Geodesic.inverse(from: try point(10, 180), to: try point(10, -180)).distance.value == 0)
    let across = Geodesic.inverse(from: try point(0, 179.5), to: try point(0, -179.5))
    #expect(abs(across.distance.value - 6_378_137 * .pi / 180) < 1e-8)
    #expect(across.initialCourse.degrees == 90)
    let back = Geodesic.direct(from: try point(0, -179.5), course: Angle(degrees: 270), distance: across.distance)
    #expect(abs(back.coordinate.longitude.degrees - 179.5) < 1e-12)
  }

  @Test func longitudeDoesNotMatterAtThePole() throws {
    let pole = try point(90, 0)
    #expect(Geodesic.inverse(from: pole, to: try point(90, 123)).distance.value < 1e-8)
    let quarter = Geodesic.inverse(from: pole, to: try point(0, 30))
    // A quarter of the meridian of WGS 84.
    #expect(abs(quarter.distance.value - 10_001_965.729_312_7) < 1e-6)
    #expect(abs(quarter.initialCourse.degrees - 150) < 1e-12)
    #expect(quarter.finalCourse.degrees == 180)
    let over = Geodesic.direct(from: try point(80, 20), course: Angle(degrees: 0), distance: Meters(2_000_000))
    #expect(abs(over.coordinate.longitude.degrees + 160) < 1e-9)
    #expect(over.finalCourse.degrees == 180)
  }

  @Test func oppositePointsAreReachedOverAPole() throws {
    for (latitude, longitude) in [(0.0, 0.0), (30, 20), (-77.7, -5), (90, 0)] {
      let opposite = try point(-latitude, longitude > 0 ? longitude - 180 : longitude + 180)
      let result = Geodesic.inverse(from: try point(latitude, longitude), to: opposite)
      #expect(abs(result.distance.value - 2 * 10_001_965.729_312_7) < 2e-6)
    }
  }

  @Test func thereAndBackAreTheSame() throws {
    var latitude = -89.0
    while latitude < 90 {
      var longitude = -180.0
      while longitude <= 180 {
        let (a, b) = (try point(41.3, -7.1), try point(latitude, longitude))
        let (there, back) = (Geodesic.inverse(from: a, to: b), Geodesic.inverse(from: b, to: a))
        #expect(abs(there.distance.value - back.distance.value) < 1e-8)
        let end = Geodesic.direct(from: a, course: there.initialCourse, distance: there.distance).coordinate
        #expect(Geodesic.inverse(from: end, to: b).distance.value < 3e-8)
        longitude += 22.5
      }
      latitude += 8.9
    }
  }

  @Test func aStepIsAStep() throws {
    let origin = try point(52.5, 13.4)
    for course in stride(from: 0.0, to: 360, by: 15) {
      for length in [0.001, 1, 250] {
        let end = Geodesic.direct(from: origin, course: Angle(degrees: course), distance: Meters(length))
        let result = Geodesic.inverse(from: origin, to: end.coordinate)
        #expect(abs(result.distance.value - length) < 5e-9)
        #expect(turn(result.initialCourse, course) * length < 5e-9)
      }
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func invalidAnglesAreHarmless(degrees: Double) throws {
    let wild = Coordinate(latitude: Angle(degrees: degrees), longitude: Angle(degrees: degrees))
    let result = Geodesic.inverse(from: wild, to: try point(1, 2)).distance.value
    #expect(result.isNaN || result.isFinite)
    let end = Geodesic.direct(from: try point(1, 2), course: Angle(degrees: degrees), distance: Meters(degrees))
    #expect(end.coordinate.latitude.degrees.isNaN || abs(end.coordinate.latitude.degrees) <= 90)
  }
}

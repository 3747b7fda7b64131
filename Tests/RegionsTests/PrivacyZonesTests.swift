import Geodesy
import Regions
import Testing

/// The parts of a line outside of privacy zones: their ends lie on the border, over the ellipsoid.
@Suite struct PrivacyZonesTests {
  private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  private static func circle(_ latitude: Double, _ longitude: Double, _ radius: Double) throws -> RegionShape {
    .circle(try CircleShape(center: place(latitude, longitude), radius: Meters(radius)))
  }

  private static func point(_ share: Double, _ first: Coordinate, _ second: Coordinate) -> Coordinate {
    let line = Geodesic.inverse(from: first, to: second)
    return Geodesic.direct(from: first, course: line.initialCourse, distance: Meters(line.distance.value * share))
      .coordinate
  }

  private static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    Geodesic.inverse(from: a, to: b).distance.value
  }

  /// The distance of a position from the geodesic between two corners, searched along that geodesic.
  private static func distance(_ place: Coordinate, fromSide a: Coordinate, _ b: Coordinate) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<100 {
      let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
      if distance(place, point(first, a, b)) < distance(place, point(second, a, b)) {
        high = second
      } else {
        low = first
      }
    }
    return distance(place, point((low + high) / 2, a, b))
  }

  /// From 3 km west of the center to 3 km east of it, also on the date line and beside a pole.
  @Test(arguments: [(47.0, 8.0), (0.0, 180.0), (-33.9, -179.999), (89.99, 20.0)])
  func aLineThroughACircleIsCutOnItsBorder(latitude: Double, longitude: Double) throws {
    let center = Self.place(latitude, longitude)
    let zones = PrivacyZones([try Self.circle(latitude, longitude, 500)])
    let first = Geodesic.direct(from: center, course: Angle(degrees: 271), distance: Meters(3000)).coordinate
    let second = Geodesic.direct(from: center, course: Angle(degrees: 93), distance: Meters(3000)).coordinate
    let parts = zones.visibleParts(from: first, to: second)
    try #require(parts.count == 2)
    #expect(parts[0].lowerBound == 0 && parts[1].upperBound == 1)
    for share in [parts[0].upperBound, parts[1].lowerBound] {
      let border = Self.point(share, first, second)
      #expect((Self.distance(border, center) - 500).magnitude < 0.01)
    }
  }

  /// A flight of 900 km through a circle of 60 km, and one that starts inside.
  @Test func aLongLineIsCutAsPrecisely() throws {
    let zones = PrivacyZones([try Self.circle(50, 12, 60_000)])
    let (first, second) = (Self.place(50.3, 6), Self.place(49.8, 18))
    let parts = zones.visibleParts(from: first, to: second)
    try #require(parts.count == 2)
    for share in [parts[0].upperBound, parts[1].lowerBound] {
      #expect((Self.distance(Self.point(share, first, second), Self.place(50, 12)) - 60_000).magnitude < 0.01)
    }
    let out = zones.visibleParts(from: Self.place(50, 12), to: second)
    try #require(out.count == 1)
    #expect(out[0].upperBound == 1)
    let border = Self.point(out[0].lowerBound, Self.place(50, 12), second)
    #expect((Self.distance(border, Self.place(50, 12)) - 60_000).magnitude < 0.01)
  }

  @Test func aLineThatPassesIsVisibleAndAGrazingOneIsCut() throws {
    let center = Self.place(47, 8)
    let zones = PrivacyZones([try Self.circle(47, 8, 500)])
    func line(at offset: Double) -> [ClosedRange<Double>] {
      let north = Geodesic.direct(from: center, course: Angle(degrees: 0), distance: Meters(offset)).coordinate
      return zones.visibleParts(
        from: Geodesic.direct(from: north, course: Angle(degrees: 270), distance: Meters(2000)).coordinate,
        to: Geodesic.direct(from: north, course: Angle(degrees: 90), distance: Meters(2000)).coordinate)
    }
    #expect(line(at: 502) == [0...1])
    #expect(line(at: 498).count == 2)
    #expect(zones.visibleParts(from: Self.place(10, 10), to: Self.place(10.1, 10)) == [0...1])
    #expect(zones.visibleParts(from: center, to: Self.place(47.001, 8)).isEmpty)
    #expect(zones.visibleParts(from: center, to: center).isEmpty)
  }

  /// A square of 0.02°, and one with sides of 700 km, on which a plane would be 30 m off.
  @Test(arguments: [0.01, 3.5])
  func aPolygonIsCutOnItsSides(half: Double) throws {
    let corners = [(-1.0, -1.0), (-1, 1), (1, 1), (1, -1)].map { Self.place(47 + half * $0.0, 8 + half * $0.1) }
    let zones = PrivacyZones([.polygon(try PolygonShape(corners: corners))])
    let (first, second) = (Self.place(47 - 0.3 * half, 8 - 2 * half), Self.place(47 + 0.4 * half, 8 + 2 * half))
    let parts = zones.visibleParts(from: first, to: second)
    try #require(parts.count == 2)
    for share in [parts[0].upperBound, parts[1].lowerBound] {
      let border = Self.point(share, first, second)
      let nearest =
        corners.indices.map { Self.distance(border, fromSide: corners[$0], corners[($0 + 1) % 4]) }.min() ?? 9
      #expect(nearest < 0.2, "\(nearest) m")
    }
  }

  /// A U open to the north: the line crosses both arms, and is visible between them.
  @Test func aConcavePolygonHidesItsArmsOnly() throws {
    let corners = [
      (0.0, 0.0), (0, 0.05), (0.03, 0.05), (0.03, 0.04), (0.01, 0.04), (0.01, 0.01), (0.03, 0.01), (0.03, 0),
    ]
    .map { Self.place(10 + $0.0, 20 + $0.1) }
    let zones = PrivacyZones([.polygon(try PolygonShape(corners: corners))])
    let parts = zones.visibleParts(from: Self.place(10.02, 19.99), to: Self.place(10.02, 20.06))
    #expect(parts.count == 3)
    // Both ends inside, in different arms.
    #expect(zones.visibleParts(from: Self.place(10.02, 20.005), to: Self.place(10.02, 20.045)).count == 1)
  }

  @Test func overlappingZonesHideTheirUnion() throws {
    let zones = PrivacyZones([try Self.circle(47, 8, 500), try Self.circle(47, 8.008, 500)])
    let parts = zones.visibleParts(from: Self.place(47, 7.98), to: Self.place(47, 8.03))
    try #require(parts.count == 2)
    let hidden = (parts[1].lowerBound - parts[0].upperBound) * Self.distance(Self.place(47, 7.98), Self.place(47, 8.03))
    let expected = 1000 + Self.distance(Self.place(47, 8), Self.place(47, 8.008))
    #expect((hidden - expected).magnitude < 0.1)
  }

  @Test func withoutZonesAllIsVisible() {
    #expect(PrivacyZones([]).visibleParts(from: Self.place(0, 0), to: Self.place(1, 1)) == [0...1])
    #expect(!PrivacyZones([]).contains(Self.place(0, 0)) && PrivacyZones([]).isEmpty)
  }
}

import Geodesy
import Regions
import TestSupport
import Testing

@Suite struct BorderPositionTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  @Test func circles() throws {
    let center = place(47, 8)
    let circle = RegionShape.circle(try CircleShape(center: center, radius: Meters(100)))
    for (way, isInside, distance) in [(0.0, true, 100.0), (40, true, 60), (130, false, 30), (20_000, false, 19_900)] {
      let point = Geodesic.direct(from: center, course: Angle(degrees: 30), distance: Meters(way)).coordinate
      let border = circle.border(from: point)
      #expect(border.isInside == isInside)
      #expect((border.distance.value - distance).magnitude < 1e-6)
    }
    #expect(circle.middle == center)
  }

  /// The nearest of many points on the border, whose distances are computed one by one.
  @Test func polygonsAgreeWithPointsOfTheirBorder() throws {
    var generator = SplitMix64(seed: 7)
    let corners = [place(47, 8), place(47.2, 8.05), place(47.1, 8.4), place(46.9, 8.2), place(47.05, 8.15)]
    let polygon = RegionShape.polygon(try PolygonShape(corners: corners))
    let border = corners.indices.flatMap { index in
      let side = Geodesic.inverse(from: corners[index], to: corners[(index + 1) % corners.count])
      return (0...1000).map { step in
        Geodesic.direct(
          from: corners[index], course: side.initialCourse, distance: side.distance * (Double(step) / 1000)
        ).coordinate
      }
    }
    for _ in 0..<40 {
      let point = place(
        Double.random(in: 46.5...47.5, using: &generator), Double.random(in: 7.5...8.8, using: &generator))
      let nearest = border.map { Geodesic.inverse(from: point, to: $0).distance.value }.min() ?? 0
      let found = polygon.border(from: point)
      // Between two of the points, of which one is each 30 m.
      #expect(found.distance.value <= nearest + 1e-3)
      #expect(found.distance.value > nearest - 15)
      #expect(found.isInside == polygon.contains(point))
    }
  }

  @Test func acrossTheDateLineAndAroundAPole() throws {
    let strip = RegionShape.polygon(
      try PolygonShape(corners: [place(10, 179), place(10, -179), place(11, -179), place(11, 179)]))
    let inside = strip.border(from: place(10.5, 180))
    #expect(inside.isInside)
    // Half a degree of latitude; the geodesic between the corners bulges to the north.
    #expect((inside.distance.value - 55_200).magnitude < 200)
    let cap = RegionShape.polygon(try PolygonShape(corners: [place(80, 0), place(80, 120), place(80, -120)]))
    let pole = cap.border(from: place(90, 0))
    #expect(pole.isInside)
    // The middle of a side of 120° of longitude is nearer to the pole than its ends.
    #expect((500_000...600_000).contains(pole.distance.value))
  }
}

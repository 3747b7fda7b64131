import Geodesy
import Regions
import Testing

/// Invalid regions, and regions that are just valid.
@Suite struct RegionTests {
  private let place = Coordinate(latitude: Angle(degrees: 10), longitude: Angle(degrees: 20))

  @Test(arguments: [0, -1, -0.0, .nan, .infinity, -.infinity, 20_003_932, 6.4e7, .greatestFiniteMagnitude])
  func impossibleRadius(_ radius: Double) {
    #expect {
      try CircleShape(center: place, radius: Meters(radius))
    } throws: { error in
      guard case .radius(let reported, most: 20_003_931) = error as? RegionError else { return false }
      return reported == radius || reported.isNaN && radius.isNaN
    }
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, 1e-9, 0.5, 20_003_931]) func possibleRadius(_ radius: Double) throws {
    let circle = try CircleShape(center: place, radius: Meters(radius))
    var index = RegionIndex()
    let slot = index.add(.circle(circle))
    #expect(index.shape(of: slot) == .circle(circle))
    #expect(index.slots(containing: place) == [slot])
  }

  @Test(arguments: [(91.0, 0.0), (0, 181), (.nan, 0), (0, .nan), (.infinity, 0), (-90.0001, 0)])
  func impossiblePlace(_ latitude: Double, _ longitude: Double) {
    let nowhere = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
    #expect(throws: RegionError.self) { try CircleShape(center: nowhere, radius: Meters(100)) }
    #expect(throws: RegionError.self) { try PolygonShape(corners: [place, nowhere, place]) }
  }

  @Test func identifierOfAMegabyte() throws {
    let shape = RegionShape.circle(try CircleShape(center: place, radius: Meters(100)))
    let long = String(repeating: "x", count: 1 << 20)
    #expect(throws: RegionError.identifierLength(1 << 20, most: 1024)) { try Region(identifier: long, shape: shape) }
    // The limit counts bytes, not letters.
    let letters = String(repeating: "é", count: 513)
    #expect(throws: RegionError.identifierLength(1026, most: 1024)) { try Region(identifier: letters, shape: shape) }
    #expect(try Region(identifier: String(repeating: "é", count: 512), shape: shape).notifiesOnEntry)
    #expect(try Region(identifier: "", shape: shape).notifiesOnExit)
  }

  @Test func impossiblePolygons() {
    let opposite = Coordinate(latitude: Angle(degrees: -10), longitude: Angle(degrees: -160))
    #expect(throws: RegionError.corners(2, possible: 3...4096)) { try PolygonShape(corners: [place, place]) }
    #expect(throws: RegionError.corners(4097, possible: 3...4096)) {
      try PolygonShape(corners: [Coordinate](repeating: place, count: 4097))
    }
    #expect(throws: RegionError.self) { try PolygonShape(corners: [place, opposite, place]) }
  }

  /// Corners at one position enclose only that position, or nothing: no crash, no hang.
  @Test func polygonWithoutArea() throws {
    let polygon = try PolygonShape(corners: [place, place, place])
    var index = RegionIndex()
    let slot = index.add(.polygon(polygon))
    #expect(index.slots(containing: place) == (polygon.contains(place) ? [slot] : []))
    let away = Geodesic.direct(from: place, course: Angle(degrees: 0), distance: Meters(2)).coordinate
    #expect(index.slots(containing: away).isEmpty)
  }
}

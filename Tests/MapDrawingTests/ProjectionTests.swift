import Geodesy
import MapDrawing
import Testing

/// Where positions are in a picture.
@Suite struct ProjectionTests {
  private func scene(_ elements: [MapElement], width: Int = 512, height: Int = 512) -> MapScene {
    var scene = MapScene(width: width, height: height)
    scene.elements = elements
    return scene
  }

  private func points(_ places: [(Double, Double)]) -> MapElement {
    .polyline(MapPolyline(places.map { MapCoordinate(latitude: $0.0, longitude: $0.1) }))
  }

  /// EPSG Guidance Note 7-2 (2019), section 3.2.1.2, the example of Popular Visualisation Pseudo Mercator: N 24°22'54.433", W 100°20'00" is at
  /// E −11 169 055.58, N 2 800 000.00 on the sphere of the radius 6 378 137 m.
  @Test func theSquareIsThatOfTheGuidanceNote() throws {
    var scene = MapScene(width: 512, height: 512)
    let origin = MapCoordinate(latitude: 0, longitude: -100)
    scene.viewport = .centered(origin, metersPerPixel: 20_000)
    let place = MapCoordinate(latitude: 24 + 22.0 / 60 + 54.433 / 3600, longitude: -100 - 20.0 / 60)
    let point = scene.projection.point(of: place)
    // Pixels are 20 km at the equator.
    #expect((point.x - 256 - (-11_169_055.58 + 11_131_949.08) / 20_000).magnitude < 1e-4)
    #expect((256 - point.y - 2_800_000.00 / 20_000).magnitude < 1e-4)
    let back = scene.projection.coordinate(of: point)
    #expect((back.latitude - place.latitude).magnitude < 1e-9 && (back.longitude - place.longitude).magnitude < 1e-9)
  }

  @Test(arguments: [0.0, 35, 60, -75]) func theScaleIsThatOfTheEllipsoid(latitude: Double) throws {
    var scene = MapScene(width: 400, height: 400)
    scene.viewport = .centered(MapCoordinate(latitude: latitude, longitude: 9), metersPerPixel: 5)
    #expect((scene.projection.metersPerPixel(atLatitude: latitude) - 5).magnitude < 1e-9)
    let west = try #require(Coordinate(checkingLatitude: latitude, longitude: 9))
    let east = scene.projection.coordinate(of: MapPoint(x: 300, y: 200))
    let meters = Geodesic.inverse(
      from: west, to: try #require(Coordinate(checkingLatitude: east.latitude, longitude: east.longitude)))
    #expect((meters.distance.value / 100 - 5).magnitude < 0.001)
  }

  @Test func everythingIsInThePictureWithAMargin() {
    let places = [(47.1, 9.4), (47.3, 9.9), (46.9, 9.6)]
    for (width, height) in [(512, 512), (300, 900), (1024, 128)] {
      let projection = scene([points(places)], width: width, height: height).projection
      for place in places {
        let point = projection.point(of: MapCoordinate(latitude: place.0, longitude: place.1))
        #expect((10...Double(width) - 10).contains(point.x) && (10...Double(height) - 10).contains(point.y))
      }
    }
  }

  /// Fiji is on both sides of the 180th meridian; the picture is not one of the whole world.
  @Test func thePictureGoesAcrossTheDateLine() {
    let scene = scene([points([(-16.8, 179.9), (-17.2, -179.8)])])
    let west = scene.projection.point(of: MapCoordinate(latitude: -16.8, longitude: 179.9))
    let east = scene.projection.point(of: MapCoordinate(latitude: -17.2, longitude: -179.8))
    #expect(west.x < east.x && east.x < 512 && east.x - west.x > 200)
    let areas = scene.areas
    #expect(areas.count == 2)
    #expect(areas.first?.longitudes.upperBound == 180 && areas.last?.longitudes.lowerBound == -180)
    #expect(areas.allSatisfy { $0.longitudes.upperBound - $0.longitudes.lowerBound < 1 })
  }

  @Test func aSinglePositionHasSurroundings() {
    let home = MapCoordinate(latitude: 47.14, longitude: 9.52)
    var scene = scene([.annotation(MapAnnotation(at: home))])
    #expect((scene.projection.metersPerPixel(atLatitude: 47.14) * 512 - 1000).magnitude < 1)
    scene.viewport = .automatic(leastWidth: 5000)
    #expect((scene.projection.metersPerPixel(atLatitude: 47.14) * 512 - 5000).magnitude < 5)
  }

  @Test func positionsThatAreNotValidHaveNoEffect() {
    let valid = [points([(47, 9), (48, 10)])]
    let before = scene(valid).projection
    let invalid = MapCoordinate(latitude: .nan, longitude: 9)
    let far = MapCoordinate(latitude: 91, longitude: 1e300)
    let after = scene(
      valid + [
        .annotation(MapAnnotation(at: invalid)), .polyline(MapPolyline([far, invalid])),
        .circle(MapCircle(center: far, radius: 5)),
        .circle(MapCircle(center: MapCoordinate(latitude: 47, longitude: 9), radius: .nan)),
      ]
    ).projection
    #expect(before == after)
  }

  @Test func sizesAreBounded() {
    var scene = MapScene(width: 1, height: 1_000_000)
    #expect(scene.width == 64 && scene.height == 4096)
    scene.width = -5
    #expect(scene.width == 64)
  }
}

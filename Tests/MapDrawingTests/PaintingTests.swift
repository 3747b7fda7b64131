import Geodesy
import MapDrawing
import Testing

/// What is drawn, and where.
@Suite struct PaintingTests {
  private let home = MapCoordinate(latitude: 60, longitude: 9.5)
  private let red = MapColor(0xFF0000)

  private func scene(_ elements: [MapElement], metersPerPixel: Double? = nil) -> MapScene {
    var scene = MapScene()
    scene.elements = elements
    if let metersPerPixel { scene.viewport = .centered(home, metersPerPixel: metersPerPixel) }
    return scene
  }

  private func points(of parts: [MapPath.Part]) -> [MapPoint] {
    parts.flatMap { part -> [MapPoint] in
      switch part {
      case .line(let points), .ring(let points): points
      case .circle(let center, _): [center]
      }
    }
  }

  /// Issue 31: the pixel radius is the radius divided by the meters of a pixel, ± 1.
  @Test(arguments: [60.0, 0, -70, 82]) func theCircleHasItsRadiusInAllDirections(latitude: Double) throws {
    let center = MapCoordinate(latitude: latitude, longitude: 9.5)
    // On the ellipsoid, Web Mercator is not quite conformal: at the equator, north and south are 0.7 % further away.
    for radius in [400.0, 1000] {
      var scene = scene([
        .circle(MapCircle(center: center, radius: radius, style: MapShapeStyle(stroke: red, fill: red)))
      ])
      scene.viewport = .centered(center, metersPerPixel: 8)
      let path = try #require(CanvasRecorder(scene).fills.first { $0.color == red }?.path)
      let corners = points(of: path.parts)
      #expect(corners.count >= 24)
      for corner in corners {
        let distance = ((corner.x - 256) * (corner.x - 256) + (corner.y - 256) * (corner.y - 256)).squareRoot()
        #expect((distance - radius / 8).magnitude <= 1, "\(corner)")
      }
    }
  }

  /// A circle that has the north pole in it reaches the upper edge over all of its width.
  @Test func aCircleAroundThePoleHasAnInside() {
    var scene = scene([
      .circle(
        MapCircle(
          center: MapCoordinate(latitude: 89, longitude: 0), radius: 2_000_000,
          style: MapShapeStyle(stroke: red, fill: red)))
    ])
    scene.viewport = .centered(MapCoordinate(latitude: 60, longitude: 0), metersPerPixel: 40_000)
    // The picture is wider than the world: there are several copies of the circle.
    let corners = CanvasRecorder(scene).fills.filter { $0.color == red }.flatMap { points(of: $0.path.parts) }
    let top = corners.map(\.y).min() ?? .infinity
    let width = (corners.map(\.x).max() ?? 0) - (corners.map(\.x).min() ?? 0)
    #expect(width > 480)
    #expect(corners.filter { $0.y == top }.count >= 2)
  }

  @Test func holesAreInThePathOfTheirPolygon() throws {
    func square(_ size: Double) -> [MapCoordinate] {
      [(-1, -1), (-1, 1), (1, 1), (1, -1)].map { (y: Double, x: Double) in
        MapCoordinate(latitude: 60 + y * size, longitude: 9.5 + x * size)
      }
    }
    let polygon = MapPolygon(square(0.1), interior: [square(0.02)], style: MapShapeStyle(stroke: red, fill: red))
    let fill = try #require(CanvasRecorder(scene([.polygon(polygon)])).fills.first { $0.color == red })
    #expect(fill.path.parts.count == 2)
  }

  /// 100,000 points on a picture of 512 pixels are as many points as can be told apart.
  @Test func pointsAreThinnedToPixels() throws {
    let line = MapPolyline(
      (0..<100_000).map { MapCoordinate(latitude: 60 + 1e-6 * Double($0), longitude: 9.5) }, color: red)
    let strokes = CanvasRecorder(scene([.polyline(line)])).strokes.filter { $0.stroke.color == red }
    let count = strokes.reduce(0) { $0 + points(of: $1.path.parts).count }
    #expect((300...1100).contains(count), "\(count)")
  }

  @Test func whatIsFarOutsideIsNotDrawn() {
    let far = MapPolyline(
      [home, MapCoordinate(latitude: -60, longitude: 170), MapCoordinate(latitude: 60, longitude: 9.51)])
    let ring = MapPolygon([
      MapCoordinate(latitude: 80, longitude: -60), MapCoordinate(latitude: 80, longitude: 80),
      MapCoordinate(latitude: 10, longitude: 10),
    ])
    let recorder = CanvasRecorder(scene([.polyline(far), .polygon(ring)], metersPerPixel: 0.5))
    #expect(recorder.points.allSatisfy { (-60...580).contains($0.x) && (-60...580).contains($0.y) })
  }

  @Test func eachPartOfALineHasItsColor() throws {
    let blue = MapColor(0x0000FF)
    let places = [9.4, 9.5, 9.6].map { MapCoordinate(latitude: 60, longitude: $0) }
    let recorder = CanvasRecorder(scene([.polyline(MapPolyline(places, colors: [blue, red, blue]))]))
    let lines = recorder.strokes.filter { [red, blue].contains($0.stroke.color) }
    let first = try #require(lines.first { $0.stroke.color == red })
    let second = try #require(lines.first { $0.stroke.color == blue })
    let middle = recorderProjection([.polyline(MapPolyline(places))]).point(of: places[1])
    func isNear(_ point: MapPoint?) -> Bool {
      point.map { ($0.x - middle.x).magnitude < 1e-6 && ($0.y - middle.y).magnitude < 1e-6 } ?? false
    }
    #expect(isNear(points(of: first.path.parts).last) && isNear(points(of: second.path.parts).first))
  }

  private func recorderProjection(_ elements: [MapElement]) -> MapProjection { scene(elements).projection }

  // MARK: - Names

  @Test func noNameCoversAnother() {
    var scene = MapScene()
    scene.elements = (0..<40).map { index in
      .annotation(
        MapAnnotation(
          at: MapCoordinate(latitude: 60 + 0.01 * Double(index % 7), longitude: 9.5 + 0.02 * Double(index / 7)),
          title: "Place \(index)", symbol: .dot))
    }
    scene.towns = (0..<60).map { index in
      MapTown(
        name: "Town \(index)",
        at: MapCoordinate(latitude: 60 + 0.007 * Double(index % 9), longitude: 9.5 + 0.015 * Double(index / 9)),
        population: 1000 * index)
    }
    scene.legend = MapLegend(title: "Many", lines: ["names"])
    scene.attributions = ["Natural Earth", "GeoNames"]
    let boxes = CanvasRecorder(scene).boxes.filter { $0.text.hasPrefix("Place") || $0.text.hasPrefix("Town") }
    #expect(boxes.count > 15)
    for (index, a) in boxes.enumerated() {
      #expect(a.left >= 0 && a.right <= 512 && a.top >= 0 && a.bottom <= 512)
      for b in boxes[..<index] {
        #expect(a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom, "\(a) \(b)")
      }
    }
  }

  @Test func namesOfOthersHaveNoControlCharacters() {
    let name = "A\u{1B}[31m\u{202E}B\u{0}" + String(repeating: "x", count: 500)
    let element = MapElement.annotation(MapAnnotation(at: home, title: name))
    let texts = CanvasRecorder(scene([element])).texts.map(\.text.string)
    let shown = texts.first { $0.hasPrefix("A") }
    #expect(shown?.hasPrefix("A[31mBxx") == true)
    #expect(shown?.count == 40 && shown?.last == "…")
  }

  @Test func thereIsAlwaysAScaleAndTheOriginOfTheData() {
    var scene = scene([.annotation(MapAnnotation(at: home))])
    scene.attributions = ["Natural Earth", "© GeoNames (CC BY 4.0)"]
    let texts = CanvasRecorder(scene).texts.map(\.text.string)
    #expect(texts.contains("Natural Earth · © GeoNames (CC BY 4.0)"))
    #expect(texts.contains("200 m"))
    scene.width = 160
    let narrow = CanvasRecorder(scene)
    #expect(narrow.texts.map(\.text.string).contains("Natural Earth"))
    #expect(narrow.boxes.allSatisfy { $0.left >= 0 && $0.right <= 160 }, "\(narrow.boxes)")
    scene.showsText = false
    #expect(CanvasRecorder(scene).texts.isEmpty)
  }

  @Test(arguments: [
    (MapUnits.metric, 2.0, "200 m"), (.metric, 40, "5 km"), (.imperial, 2, "500 ft"), (.imperial, 40, "2 mi"),
    (.nautical, 2, "200 m"), (.nautical, 40, "2 NM"),
  ]) func theScaleHasRoundNumbers(units: MapUnits, metersPerPixel: Double, text: String) {
    var scene = scene([], metersPerPixel: metersPerPixel)
    scene.units = units
    #expect(CanvasRecorder(scene).texts.map(\.text.string).contains(text))
  }

  /// The overlay gets the canvas and the projection of the picture, and its extent is shown.
  @Test func anOverlayDrawsItself() {
    struct Cross: MapOverlay {
      let center: MapCoordinate
      var extent: [MapCoordinate] { [center] }
      func draw(on canvas: any MapCanvas, in projection: MapProjection) {
        let point = projection.point(of: center)
        canvas.fill(MapPath([.circle(point, radius: 9)]), MapColor(0x123456))
      }
    }
    let recorder = CanvasRecorder(scene([.custom(Cross(center: home))]))
    let cross = recorder.fills.first { $0.color == MapColor(0x123456) }
    guard case .circle(let point, 9) = cross?.path.parts.first else {
      Issue.record("no cross")
      return
    }
    #expect((point.x - 256).magnitude < 1 && (point.y - 252).magnitude < 5)
  }
}

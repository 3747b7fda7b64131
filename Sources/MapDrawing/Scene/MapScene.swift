/// What a map shows, as values. `ScenePainter` draws it on any canvas.
public struct MapScene: Sendable {
  /// The permitted widths and heights, pixels.
  public static let possibleSizes = 64...4096

  /// Pixels; sizes outside of `possibleSizes` are taken as the nearest of them.
  public var width: Int {
    didSet { width = Self.possible(width) }
  }
  /// Likewise.
  public var height: Int {
    didSet { height = Self.possible(height) }
  }
  /// The look of the map.
  public var appearance = MapAppearance.light
  /// The units of the scale.
  public var units = MapUnits.metric
  /// The part of the world that is shown.
  public var viewport = MapViewport.automatic()
  /// Later elements are above earlier ones of the same kind; annotations are above lines, and lines above areas.
  public var elements: [MapElement] = []
  /// Land, lakes and borders; `nil`: only a grid of meridians and parallels.
  public var outline: WorldOutline?
  /// Streets, waters and land use above the outline.
  package var tiles: [VectorTile] = []
  /// The largest one first.
  public var towns: [MapTown] = []
  /// The explanation; `nil`: none.
  public var legend: MapLegend?
  /// Whom the data comes from; always shown, unless `showsText` is false.
  public var attributions: [String] = []
  /// Whether names, the legend, the scale and the origin of the data are shown; a picture of a few characters of a terminal has no room for them.
  public var showsText = true

  /// An empty scene.
  public init(width: Int = 512, height: Int = 512) {
    (self.width, self.height) = (Self.possible(width), Self.possible(height))
  }

  private static func possible(_ size: Int) -> Int {
    min(max(size, possibleSizes.lowerBound), possibleSizes.upperBound)
  }

  /// The projection of the picture, which follows from the elements, the viewport and the size.
  public var projection: MapProjection {
    var extent = MapExtent()
    for element in elements {
      switch element {
      case .annotation(let annotation): extent.add(annotation.coordinate)
      case .circle(let circle): for point in circle.ring(16) { extent.add(point) }
      case .polyline(let line): for point in line.coordinates { extent.add(point) }
      case .polygon(let polygon): for point in polygon.outer { extent.add(point) }
      case .custom(let overlay): for point in overlay.extent { extent.add(point) }
      }
    }
    let (width, height) = (Double(width), Double(height))
    let margin = min(36, min(width, height) / 8)
    var inner = MapBox(left: margin, top: margin, right: width - margin, bottom: height - margin - 8)
    // A legend that takes little of the height stays clear of the elements.
    let taken = (legend?.height(isNarrow: width < MapLegend.narrow) ?? 0) + margin / 2
    if legend != nil, showsText, taken < height * 0.35 { inner.top = max(inner.top, taken + margin / 2) }
    return viewport.projection(extent, width: width, height: height, inner: inner)
  }

  /// The latitudes and longitudes that the picture shows, degrees: two parts if the 180th meridian is in it.
  public var areas: [(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)] {
    let projection = projection
    let first = projection.coordinate(of: MapPoint(x: 0, y: Double(height)))
    let last = projection.coordinate(of: MapPoint(x: Double(width), y: 0))
    let most = MapProjection.greatestLatitude
    let latitudes = min(max(first.latitude, -most), most)...max(min(last.latitude, most), max(first.latitude, -most))
    guard Double(width) < projection.worldWidth else { return [(latitudes, -180...180)] }
    guard first.longitude > last.longitude else { return [(latitudes, first.longitude...last.longitude)] }
    return [(latitudes, first.longitude...180), (latitudes, -180...last.longitude)]
  }
}

/// A town of the base layer.
public struct MapTown: Hashable, Sendable {
  /// The name, in one line.
  public var name: String
  /// Its middle.
  public var coordinate: MapCoordinate
  /// The number of people, from which the size of the name follows.
  public var population: Int

  /// A town.
  public init(name: String, at coordinate: MapCoordinate, population: Int) {
    (self.name, self.coordinate, self.population) = (name, coordinate, population)
  }
}

/// The explanation of a map, in its upper left corner.
public struct MapLegend: Hashable, Sendable {
  /// Pictures that are narrower get a smaller legend, pixels.
  static let narrow = 240.0

  /// The first line; `nil`: none.
  public var title: String?
  /// Lines below the title.
  public var lines: [String]
  /// The colors of values from low to high, each with the least value of it; an empty text has no label.
  public var ramp: [(color: MapColor, label: String)] {
    get { steps.map { ($0.color, $0.label) } }
    set { steps = newValue.map { Step(color: $0.color, label: $0.label) } }
  }
  /// What the values are, with their unit.
  public var rampTitle: String?
  /// Whether there are positions in doubt on the map.
  public var hasDoubtful: Bool

  private struct Step: Hashable, Sendable {
    var color: MapColor
    var label: String
  }
  private var steps: [Step] = []

  /// A legend.
  public init(title: String? = nil, lines: [String] = [], rampTitle: String? = nil, hasDoubtful: Bool = false) {
    (self.title, self.lines, self.rampTitle, self.hasDoubtful) = (title, lines, rampTitle, hasDoubtful)
  }

  var isEmpty: Bool { title == nil && lines.isEmpty && steps.isEmpty && !hasDoubtful }

  /// Pixels from the top of the picture to the legend's lower edge.
  func height(isNarrow: Bool) -> Double {
    guard !isEmpty else { return 0 }
    var height = LegendPainter.margin + 2 * LegendPainter.padding - 3
    if title != nil { height += LegendPainter.titleLine }
    if !isNarrow { height += Double(lines.count) * LegendPainter.line }
    if !steps.isEmpty, !isNarrow { height += LegendPainter.ramp }
    if hasDoubtful { height += LegendPainter.line + 2 }
    return height
  }
}

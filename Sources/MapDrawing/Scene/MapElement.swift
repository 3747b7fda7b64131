/// Something on a map.
public enum MapElement: Sendable {
  case annotation(MapAnnotation)
  case circle(MapCircle)
  case polyline(MapPolyline)
  case polygon(MapPolygon)
  /// An overlay that draws itself.
  case custom(any MapOverlay)
}

/// A point with a name.
public struct MapAnnotation: Hashable, Sendable {
  /// How a point is drawn.
  public enum Symbol: Hashable, Sendable {
    /// A disc with a rim.
    case dot
    /// A ring: a position in doubt.
    case hollow
    /// The user's position; the course is in degrees, clockwise from north.
    case position(course: Double? = nil)
    /// A drop whose tip is at the point.
    case pin
  }

  /// Where the point is.
  public var coordinate: MapCoordinate
  /// The name beside the symbol; `nil`: none.
  public var title: String?
  /// The symbol.
  public var symbol: Symbol
  /// `nil`: that of the symbol.
  public var color: MapColor?

  /// A point.
  public init(at coordinate: MapCoordinate, title: String? = nil, symbol: Symbol = .pin, color: MapColor? = nil) {
    (self.coordinate, self.title, self.symbol, self.color) = (coordinate, title, symbol, color)
  }
}

/// The line and the inside of a shape.
public struct MapShapeStyle: Hashable, Sendable {
  /// `nil`: that of regions, with a translucent inside.
  public var stroke, fill: MapColor?
  /// Pixels.
  public var lineWidth: Double
  /// Whether the line has gaps.
  public var isDashed: Bool

  /// A style.
  public init(stroke: MapColor? = nil, fill: MapColor? = nil, lineWidth: Double = 2, isDashed: Bool = false) {
    (self.stroke, self.fill, self.lineWidth, self.isDashed) = (stroke, fill, lineWidth, isDashed)
  }
}

/// All points at one distance from a center, measured on the ellipsoid.
public struct MapCircle: Hashable, Sendable {
  /// The middle of the circle.
  public var center: MapCoordinate
  /// Meters.
  public var radius: Double
  /// The name inside or beside the circle; `nil`: none.
  public var title: String?
  /// The line and the inside.
  public var style: MapShapeStyle

  /// A circle.
  public init(center: MapCoordinate, radius: Double, title: String? = nil, style: MapShapeStyle = MapShapeStyle()) {
    (self.center, self.radius, self.title, self.style) = (center, radius, title, style)
  }
}

/// A line through positions.
public struct MapPolyline: Hashable, Sendable {
  /// The positions, in their order.
  public var coordinates: [MapCoordinate]
  /// `nil`: that of lines.
  public var color: MapColor?
  /// The color of the part that leads to each position, in place of `color`; as many as there are positions.
  public var colors: [MapColor]
  /// Pixels.
  public var lineWidth: Double
  /// The name at the beginning; `nil`: none.
  public var title: String?

  /// A line.
  public init(
    _ coordinates: [MapCoordinate], color: MapColor? = nil, colors: [MapColor] = [], lineWidth: Double = 3.5,
    title: String? = nil
  ) {
    (self.coordinates, self.color, self.colors) = (coordinates, color, colors)
    (self.lineWidth, self.title) = (lineWidth, title)
  }
}

/// An area with holes. A ring does not repeat its first position.
public struct MapPolygon: Hashable, Sendable {
  /// The outer ring.
  public var outer: [MapCoordinate]
  /// The holes.
  public var interior: [[MapCoordinate]]
  /// The name inside or beside the area; `nil`: none.
  public var title: String?
  /// The line and the inside.
  public var style: MapShapeStyle

  /// An area.
  public init(
    _ outer: [MapCoordinate], interior: [[MapCoordinate]] = [], title: String? = nil,
    style: MapShapeStyle = MapShapeStyle()
  ) {
    (self.outer, self.interior, self.title, self.style) = (outer, interior, title, style)
  }
}

/// An overlay with a renderer of its own.
public protocol MapOverlay: Sendable {
  /// Positions that an automatic viewport shows.
  var extent: [MapCoordinate] { get }
  /// Draws on a canvas whose pixels are those of the projection.
  func draw(on canvas: any MapCanvas, in projection: MapProjection)
}

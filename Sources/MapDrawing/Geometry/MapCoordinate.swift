package import Geodesy

/// A position on the WGS 84 ellipsoid.
public struct MapCoordinate: Hashable, Sendable {
  /// Degrees, −90...90; north is positive.
  public var latitude: Double
  /// Degrees, −180...180; east is positive.
  public var longitude: Double

  /// A position; a value outside of its range is ignored by everything that draws it.
  public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }

  package init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude.degrees, longitude: coordinate.longitude.degrees)
  }

  /// The position if both numbers are in their ranges, which `NaN` is not.
  var checked: Coordinate? { Coordinate(checkingLatitude: latitude, longitude: longitude) }
}

/// A point of a picture, in pixels from the left and the top; fractions are parts of a pixel.
public struct MapPoint: Hashable, Sendable {
  public var x, y: Double

  /// A point.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  static func + (a: MapPoint, b: MapPoint) -> MapPoint { MapPoint(x: a.x + b.x, y: a.y + b.y) }
}

/// A rectangle of a picture, in pixels.
struct MapBox: Hashable {
  var left, top, right, bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }

  func contains(_ point: MapPoint) -> Bool {
    point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
  }

  func contains(_ box: MapBox) -> Bool {
    box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom
  }

  func meets(_ box: MapBox) -> Bool {
    box.left < right && box.right > left && box.top < bottom && box.bottom > top
  }

  /// The rectangle with `margin` more on each side.
  func grown(by margin: Double) -> MapBox {
    MapBox(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }
}

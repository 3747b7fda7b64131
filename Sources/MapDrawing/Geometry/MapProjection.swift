import Geodesy

/// Web Mercator (EPSG:3857): the square of the world has the width 1 from 180° W to 180° E, and the height 1 from 85.0511° N to 85.0511° S.
/// A picture shows a part of it at one scale, with north at the top.
public struct MapProjection: Hashable, Sendable {
  /// The middle of the picture in the square of the world.
  let center: WorldPoint
  /// The pixels of the whole width of the world.
  let worldWidth: Double
  /// The size of the picture, pixels.
  public let width, height: Double

  /// The latitude at which the square of the world ends: atan(sinh π).
  public static let greatestLatitude = 85.051_128_779_806_6
  /// 2²² pixels for each of the 256 of the widest map: 0.04 m for a pixel at the equator.
  static let greatestWorldWidth = 256.0 * 4_194_304

  init(center: WorldPoint, worldWidth: Double, width: Double, height: Double) {
    self.center = WorldPoint(x: center.x - center.x.rounded(.down), y: min(max(center.y, 0), 1))
    self.worldWidth = min(max(worldWidth, 64), Self.greatestWorldWidth)
    (self.width, self.height) = (width, height)
  }

  /// The pixel of a position, in that copy of the world which is nearest to the middle of the picture. A latitude beyond
  /// `greatestLatitude` is taken as that.
  public func point(of coordinate: MapCoordinate) -> MapPoint {
    let world = WorldPoint(coordinate)
    return pixel(WorldPoint(x: center.x + WorldPoint.turn(world.x - center.x), y: world.y))
  }

  /// The position of a pixel.
  public func coordinate(of point: MapPoint) -> MapCoordinate {
    let world = WorldPoint(
      x: center.x + (point.x - width / 2) / worldWidth, y: center.y + (point.y - height / 2) / worldWidth)
    return world.coordinate
  }

  /// The meters of a pixel along the parallel of a latitude (degrees).
  public func metersPerPixel(atLatitude latitude: Double) -> Double {
    let angle = Angle(degrees: min(max(latitude, -Self.greatestLatitude), Self.greatestLatitude))
    let circumference = 2 * Double.pi * Ellipsoid.wgs84.primeVerticalRadius(at: angle) * Math.cos(angle.radians)
    return circumference / worldWidth
  }

  /// The picture itself.
  var frame: MapBox { MapBox(left: 0, top: 0, right: width, bottom: height) }

  func pixel(_ world: WorldPoint) -> MapPoint {
    MapPoint(
      x: (world.x - center.x) * worldWidth + width / 2, y: (world.y - center.y) * worldWidth + height / 2)
  }

  /// The pixels of a line. Each of its points follows the one before on the shorter way around the world, so that no line crosses the
  /// picture because it crosses the 180th meridian. Positions that are not valid are left out.
  func line(_ coordinates: some Sequence<MapCoordinate>) -> [MapPoint] {
    var points: [MapPoint] = []
    var last: Double?
    for coordinate in coordinates where coordinate.checked != nil {
      let world = WorldPoint(coordinate)
      let x = last.map { $0 + WorldPoint.turn(world.x - $0) } ?? center.x + WorldPoint.turn(world.x - center.x)
      last = x
      points.append(pixel(WorldPoint(x: x, y: world.y)))
    }
    return points
  }

  /// The pixels of a ring, whose last point is not the first. A ring around a pole goes along the edge of the world.
  func ring(_ coordinates: [MapCoordinate]) -> [MapPoint] {
    var points = line(coordinates)
    guard let first = points.first, let last = points.last, (last.x - first.x).magnitude > worldWidth / 2 else {
      return points
    }
    let isNorth = coordinates.reduce(0) { $0 + $1.latitude } > 0
    let edge = pixel(WorldPoint(x: 0, y: isNorth ? 0 : 1)).y
    let end = first.x + (last.x > first.x ? worldWidth : -worldWidth)
    points += [MapPoint(x: end, y: first.y), MapPoint(x: end, y: edge), MapPoint(x: first.x, y: edge)]
    return points
  }

  /// The distances, in pixels, to the copies of the world that a shape between two pixels may have in the picture.
  func copies(from left: Double, to right: Double) -> [Double] {
    guard right - left < 4 * worldWidth else { return [0] }
    let first = ((0 - right) / worldWidth).rounded(.up)
    let last = ((width - left) / worldWidth).rounded(.down)
    guard first <= last, last - first < 64 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * worldWidth }
  }
}

/// A point of the square of the world: x from west to east and y from north to south, 0...1 each.
struct WorldPoint: Hashable {
  var x, y: Double

  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  init(_ coordinate: MapCoordinate) {
    let most = MapProjection.greatestLatitude
    let latitude = Angle(degrees: min(max(coordinate.latitude, -most), most)).radians
    x = coordinate.longitude / 360 + 0.5
    // Snyder, Map Projections: A Working Manual (USGS, 1987), equation (7-2a) for the sphere.
    let sine = Math.sin(latitude)
    y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * .pi)
  }

  var coordinate: MapCoordinate {
    // Equation (7-4a) for the sphere.
    let latitude = Math.atan2(Math.sinh((0.5 - y) * 2 * .pi), 1)
    return MapCoordinate(latitude: Angle(radians: latitude).degrees, longitude: Self.turn(x - 0.5) * 360)
  }

  /// A difference in x on the shorter way around the world, −0.5...0.5.
  static func turn(_ difference: Double) -> Double { difference - difference.rounded() }
}

/// The part of the world that positions take: the shortest span of longitudes that has all of them, also across the 180th meridian.
struct MapExtent {
  private static let count = 720
  /// For each half degree of longitude, the least and the greatest x of positions in it.
  private var spans = [(least: Double, most: Double)?](repeating: nil, count: count)
  private var top = Double.infinity
  private var bottom = -Double.infinity

  var isEmpty: Bool { top > bottom }

  mutating func add(_ coordinate: MapCoordinate) {
    guard coordinate.checked != nil else { return }
    let world = WorldPoint(coordinate)
    (top, bottom) = (min(top, world.y), max(bottom, world.y))
    let index = min(Int(world.x * Double(Self.count)), Self.count - 1)
    let span = spans[index] ?? (world.x, world.x)
    spans[index] = (min(span.least, world.x), max(span.most, world.x))
  }

  /// The middle, the width and the height; `nil` if there are no positions.
  var box: (center: WorldPoint, width: Double, height: Double)? {
    let known = spans.compactMap(\.self)
    guard let first = known.first, let last = known.last else { return nil }
    var (gap, west) = (first.least + 1 - last.most, first.least)
    for (a, b) in zip(known, known.dropFirst()) where b.least - a.most > gap {
      (gap, west) = (b.least - a.most, b.least)
    }
    let width = max(0, 1 - gap)
    return (WorldPoint(x: west + width / 2, y: (top + bottom) / 2), width, bottom - top)
  }
}

/// The part of the world that a picture shows.
public enum MapViewport: Hashable, Sendable {
  /// All elements of the scene, with a margin. The picture is at least `leastWidth` meters wide, so that a single position has surroundings.
  case automatic(leastWidth: Double = 1000)
  /// A position in the middle, and the meters of a pixel there.
  case centered(MapCoordinate, metersPerPixel: Double)

  /// - Parameter inner: the part of the picture in which the elements are to be.
  func projection(_ extent: MapExtent, width: Double, height: Double, inner: MapBox) -> MapProjection {
    func unit(at center: WorldPoint) -> Double {
      MapProjection(center: center, worldWidth: 1e6, width: width, height: height)
        .metersPerPixel(atLatitude: center.coordinate.latitude) * 1e6
    }
    switch self {
    case .centered(let coordinate, let metersPerPixel):
      let center = WorldPoint(coordinate.checked == nil ? MapCoordinate(latitude: 0, longitude: 0) : coordinate)
      let meters = metersPerPixel.isFinite && metersPerPixel > 0 ? metersPerPixel : 1
      return MapProjection(center: center, worldWidth: unit(at: center) / meters, width: width, height: height)
    case .automatic(let leastWidth):
      guard let box = extent.box else {
        return MapProjection(
          center: WorldPoint(x: 0.5, y: 0.42), worldWidth: width, width: width, height: height)
      }
      let least = leastWidth.isFinite && leastWidth > 0 ? leastWidth : 1
      var worldWidth = unit(at: box.center) * width / least
      if box.width > 0 { worldWidth = min(worldWidth, inner.width / box.width) }
      if box.height > 0 { worldWidth = min(worldWidth, inner.height / box.height) }
      // The elements are in the middle of the inner part, and not of the picture.
      let center = WorldPoint(
        x: box.center.x + ((width - inner.width) / 2 - inner.left) / worldWidth,
        y: box.center.y + ((height - inner.height) / 2 - inner.top) / worldWidth)
      return MapProjection(center: center, worldWidth: worldWidth, width: width, height: height)
    }
  }
}

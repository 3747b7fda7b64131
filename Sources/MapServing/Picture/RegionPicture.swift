package import Geodesy
package import MapDrawing
package import Regions

/// A region as an element of a picture.
package enum RegionPicture {
  package static func element(_ region: Region) -> MapElement {
    switch region.shape {
    case .circle(let circle):
      .circle(
        MapCircle(center: MapCoordinate(circle.center), radius: circle.radius.value, title: region.identifier))
    case .polygon(let polygon):
      .polygon(MapPolygon(polygon.corners.map { MapCoordinate($0) }, title: region.identifier))
    }
  }
}

/// A position as elements of a picture: the error circle, and the dot.
package enum PositionPicture {
  /// The width of a picture that shows only a position, meters; and at least six times the radius.
  package static func leastWidth(_ fix: PositionFix) -> Double { max(2000, 6 * fix.horizontalRadius68.value) }

  package static func elements(_ fix: PositionFix, _ appearance: MapAppearance) -> [MapElement] {
    let color = fix.qualityFlag == nil ? appearance.colors.position : appearance.colors.suspect
    let circle = MapCircle(
      center: MapCoordinate(fix.coordinate), radius: fix.horizontalRadius68.value,
      style: MapShapeStyle(stroke: color, fill: color.opacity(0.16), lineWidth: 1.2))
    // A course of a machine that stands still has no meaning.
    let isMoving = fix.speedMetersPerSecond.map { $0 > 0.5 } ?? false
    let dot = MapAnnotation(
      at: MapCoordinate(fix.coordinate),
      symbol: fix.qualityFlag == nil ? .position(course: isMoving ? fix.course?.degrees : nil) : .hollow, color: color)
    return [.circle(circle), .annotation(dot)]
  }
}

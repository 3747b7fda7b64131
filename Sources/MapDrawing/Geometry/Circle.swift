import Geodesy

extension MapCircle {
  /// `count` positions at the circle's radius, in equal angles from north; empty if the circle is not valid.
  func ring(_ count: Int) -> [MapCoordinate] {
    guard let center = center.checked, radius.isFinite, radius >= 0 else { return [] }
    // A greater one would meet itself on the other side of the world.
    let distance = Meters(min(radius, 19_900_000))
    return (0..<count).map { index in
      let course = Angle(degrees: 360 * Double(index) / Double(count))
      return MapCoordinate(Geodesic.direct(from: center, course: course, distance: distance).coordinate)
    }
  }
}

/// Circles in pixels.
enum Circle {
  /// The point at a share of a turn, clockwise from the right.
  static func point(turn: Double, radius: Double) -> MapPoint {
    MapPoint(x: radius * Math.cos(turn * 2 * .pi), y: radius * Math.sin(turn * 2 * .pi))
  }
}

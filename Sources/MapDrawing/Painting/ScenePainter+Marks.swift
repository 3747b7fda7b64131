import Geodesy

/// Points with symbols.
extension ScenePainter {
  /// An annotation in the picture.
  struct Mark {
    let annotation: MapAnnotation
    let point: MapPoint
    /// What the symbol covers.
    let box: MapBox
  }

  /// The annotations whose symbols are in the picture. Of rings without a name, at most one is kept in each square of four pixels.
  func marks() -> [Mark] {
    var taken: Set<Int> = []
    return scene.elements.compactMap { element in
      guard case .annotation(let annotation) = element, annotation.coordinate.checked != nil else { return nil }
      let point = projection.point(of: annotation.coordinate)
      guard projection.frame.grown(by: 12).contains(point) else { return nil }
      if annotation.symbol == .hollow, annotation.title == nil {
        let cell = Int(point.y / 4 + 8) * 2048 + Int(point.x / 4 + 8)
        guard taken.insert(cell).inserted else { return nil }
      }
      let reach: (up: Double, down: Double, side: Double) =
        switch annotation.symbol {
        case .dot: (5.5, 5.5, 5.5)
        case .hollow: (5, 5, 5)
        case .position: (9, 9, 9)
        case .pin: (23, 1, 8)
        }
      let box = MapBox(
        left: point.x - reach.side, top: point.y - reach.up, right: point.x + reach.side, bottom: point.y + reach.down)
      return Mark(annotation: annotation, point: point, box: box)
    }
  }

  func paint(_ mark: Mark) {
    let (point, color) = (mark.point, mark.annotation.color)
    switch mark.annotation.symbol {
    case .dot:
      let disc = MapPath([.circle(point, radius: 4.5)])
      canvas.fill(disc, color ?? colors.line)
      canvas.stroke(disc, MapStroke(colors.rim, width: 1.6))
    case .hollow:
      let ring = MapPath([.circle(point, radius: 4)])
      canvas.fill(ring, colors.rim.opacity(0.7))
      canvas.stroke(ring, MapStroke(color ?? colors.suspect, width: 1.8))
    case .position(let course):
      let color = color ?? colors.position
      if let course, course.isFinite { paintCourse(course, at: point, color) }
      let disc = MapPath([.circle(point, radius: 7)])
      canvas.fill(disc, color)
      canvas.stroke(disc, MapStroke(MapColor(0xFFFFFF), width: 2.6))
    case .pin:
      let color = color ?? colors.line
      canvas.fill(Self.pin(at: point), color)
      canvas.stroke(Self.pin(at: point), MapStroke(colors.rim, width: 1.6))
      canvas.fill(MapPath([.circle(point + MapPoint(x: 0, y: -15), radius: 2.7)]), colors.rim)
    }
  }

  /// A wedge beside the disc.
  private func paintCourse(_ course: Double, at point: MapPoint, _ color: MapColor) {
    let turn = (course - 90) / 360
    let wedge = MapPath([
      .ring([
        point + Circle.point(turn: turn, radius: 16.5),
        point + Circle.point(turn: turn - 0.085, radius: 10),
        point + Circle.point(turn: turn + 0.085, radius: 10),
      ])
    ])
    canvas.stroke(wedge, MapStroke(MapColor(0xFFFFFF), width: 2))
    canvas.fill(wedge, color)
  }

  /// A drop: three quarters of a circle above the point, and straight lines to it.
  private static func pin(at point: MapPoint) -> MapPath {
    let center = point + MapPoint(x: 0, y: -15)
    // The lines touch the circle: the cosine of the angle at its center is 7 / 15.
    let half = Math.atan2((15.0 * 15 - 49).squareRoot(), 7) / (2 * .pi)
    let arc = (0...24).map { step in
      center + Circle.point(turn: 0.25 + half + Double(step) / 24 * (1 - 2 * half), radius: 7)
    }
    return MapPath([.ring([point] + arc)])
  }
}

package import Geodesy

/// The nearest of the sixteen points of the compass, each 22.5° wide.
package struct CompassPoint: Hashable, Sendable {
  private let index: Int

  package init(_ course: Angle) {
    let turn = course.degrees.remainder(dividingBy: 360)
    index = (Int((turn / 22.5).rounded(.toNearestOrAwayFromZero)) + 16) % 16
  }

  /// `NNW`.
  package var letters: String { Self.points[index].letters }
  /// `north-northwest`.
  package var name: String { Self.points[index].name }

  private static let points: [(letters: String, name: String)] = [
    ("N", "north"), ("NNE", "north-northeast"), ("NE", "northeast"), ("ENE", "east-northeast"), ("E", "east"),
    ("ESE", "east-southeast"), ("SE", "southeast"), ("SSE", "south-southeast"), ("S", "south"),
    ("SSW", "south-southwest"), ("SW", "southwest"), ("WSW", "west-southwest"), ("W", "west"),
    ("WNW", "west-northwest"), ("NW", "northwest"), ("NNW", "north-northwest"),
  ]
}

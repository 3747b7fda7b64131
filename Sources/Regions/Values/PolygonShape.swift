package import Geodesy

/// All places around which a line of geodesics winds, from corner to corner and back to the first; where it crosses itself, an
/// odd number of times. An extension of ours: Apple has circles alone.
///
/// Which way round the corners go does not matter; a pole or the date line may lie within.
package struct PolygonShape: Hashable, Sendable {
  package let corners: [Coordinate]
  /// A place in the midst of the corners.
  package let middle: Coordinate
  /// From `middle` to the furthest corner: everything inside is as near.
  package let reach: Meters

  /// A border of more is better drawn as several.
  package static let possibleCorners = 3...4096
  /// Within, two corners have one shortest line between them, and it stays as near to the middle as they are.
  package static let greatestReach = Meters(4_000_000)

  package init(corners: [Coordinate]) throws(RegionError) {
    guard Self.possibleCorners.contains(corners.count) else {
      throw .corners(corners.count, possible: Self.possibleCorners)
    }
    var sum = SIMD3<Double>.zero
    for corner in corners {
      let (latitude, longitude) = (corner.latitude.degrees, corner.longitude.degrees)
      guard Coordinate(checkingLatitude: latitude, longitude: longitude) != nil else {
        throw .place(latitude: latitude, longitude: longitude)
      }
      sum += Surface.point(corner)
    }
    // Opposite corners leave no direction at all; they are too far from wherever this is.
    let middle = Surface.coordinate(towards: sum)
    let reach = corners.reduce(0) { max($0, Geodesic.inverse(from: middle, to: $1).distance.value) }
    guard reach <= Self.greatestReach.value else { throw .extent(reach, most: Self.greatestReach.value) }
    self.corners = corners
    self.middle = middle
    self.reach = Meters(reach)
  }

  /// Whether a place lies in it. Seen from the place, each side turns by less than half a circle, and all of them together turn
  /// a whole number of times: none, where it lies outside.
  package func contains(_ place: Coordinate) -> Bool {
    guard Geodesic.inverse(from: middle, to: place).distance <= reach else { return false }
    var turned = 0.0
    var last: Double?
    var first = 0.0
    for corner in corners {
      let line = Geodesic.inverse(from: place, to: corner)
      // A corner is of the border.
      guard line.distance.value > 0 else { return true }
      let course = line.initialCourse.degrees
      if let last { turned += (course - last).remainder(dividingBy: 360) } else { first = course }
      last = course
    }
    if let last { turned += (first - last).remainder(dividingBy: 360) }
    return !Int((turned / 360).rounded()).isMultiple(of: 2)
  }
}

package import Geodesy

/// A part of the earth whose border is monitored. Its owner is recorded elsewhere.
package struct Region: Hashable, Sendable {
  /// The owner's name for the region.
  package let identifier: String
  package let shape: RegionShape
  /// Whether its owner has requested entry events.
  package var notifiesOnEntry: Bool
  /// Whether its owner has requested exit events.
  package var notifiesOnExit: Bool

  /// The number of bytes of its identifier and its coordinates: 16 for each point.
  package var bytes: Int {
    let points = if case .polygon(let polygon) = shape { polygon.corners.count } else { 1 }
    return identifier.utf8.count + 16 * points
  }

  /// The longest identifier, bytes of UTF-8. Apple states no limit; this leaves room for a path or a link.
  package static let longestIdentifier = 1024

  package init(identifier: String, shape: RegionShape, notifiesOnEntry: Bool = true, notifiesOnExit: Bool = true)
    throws(RegionError)
  {
    let length = identifier.utf8.count
    guard length <= Self.longestIdentifier else {
      throw .identifierLength(length, most: Self.longestIdentifier)
    }
    self.identifier = identifier
    self.shape = shape
    self.notifiesOnEntry = notifiesOnEntry
    self.notifiesOnExit = notifiesOnExit
  }
}

/// The border of a region.
package enum RegionShape: Hashable, Sendable {
  case circle(CircleShape)
  case polygon(PolygonShape)

  /// Whether it contains a point, over the ellipsoid: exact, but slow.
  package func contains(_ place: Coordinate) -> Bool {
    switch self {
    case .circle(let circle): circle.contains(place)
    case .polygon(let polygon): polygon.contains(place)
    }
  }
}

/// All points within a distance of the center, border included, over the ellipsoid.
package struct CircleShape: Hashable, Sendable {
  package let center: Coordinate
  /// > 0, at most `greatestRadius`.
  package let radius: Meters

  /// Half a meridian of WGS 84 (20,003,931.4586 m): no two points are further from each other, so that a greater circle has no
  /// border.
  package static let greatestRadius = Meters(20_003_931)

  package init(center: Coordinate, radius: Meters) throws(RegionError) {
    let (latitude, longitude) = (center.latitude.degrees, center.longitude.degrees)
    guard Coordinate(checkingLatitude: latitude, longitude: longitude) != nil else {
      throw .place(latitude: latitude, longitude: longitude)
    }
    guard radius.value > 0, radius <= Self.greatestRadius else {
      throw .radius(radius.value, most: Self.greatestRadius.value)
    }
    self.center = center
    self.radius = radius
  }

  /// Whether a point lies in it or on its border.
  package func contains(_ place: Coordinate) -> Bool {
    Geodesic.inverse(from: center, to: place).distance <= radius
  }
}

/// All points around which a closed line of geodesics from corner to corner winds; if the line crosses itself, the points around
/// which it winds an odd number of times. An extension of ours: Apple has circles alone.
///
/// The direction of the corners does not matter; a pole or the date line may lie inside.
package struct PolygonShape: Hashable, Sendable {
  package let corners: [Coordinate]
  /// A point in the middle of the corners.
  package let middle: Coordinate
  /// The distance from `middle` to the farthest corner; no point inside is farther away.
  package let reach: Meters

  /// A border with more corners is better drawn as several regions.
  package static let possibleCorners = 3...4096
  /// Within this distance, two corners have one shortest line between them, and it stays as near to the middle as they are.
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
    // Antipodal corners define no direction at all; they are too far from any middle.
    let middle = Surface.coordinate(towards: sum)
    let reach = corners.reduce(0) { max($0, Geodesic.inverse(from: middle, to: $1).distance.value) }
    guard reach <= Self.greatestReach.value else { throw .extent(reach, most: Self.greatestReach.value) }
    self.corners = corners
    self.middle = middle
    self.reach = Meters(reach)
  }

  /// Whether it contains a point. Seen from the point, each side turns by less than half a circle, and all of them together turn a
  /// whole number of times: zero if the point is outside.
  package func contains(_ place: Coordinate) -> Bool {
    guard Geodesic.inverse(from: middle, to: place).distance <= reach else { return false }
    var turned = 0.0
    var last: Double?
    var first = 0.0
    for corner in corners {
      let line = Geodesic.inverse(from: place, to: corner)
      // A corner belongs to the border.
      guard line.distance.value > 0 else { return true }
      let course = line.initialCourse.degrees
      if let last { turned += (course - last).remainder(dividingBy: 360) } else { first = course }
      last = course
    }
    if let last { turned += (first - last).remainder(dividingBy: 360) }
    return !Int((turned / 360).rounded()).isMultiple(of: 2)
  }
}

/// Why a region is invalid.
package enum RegionError: Error, Hashable, Sendable {
  /// The identifier has this many bytes of UTF-8, more than the limit.
  case identifierLength(Int, most: Int)
  /// Degrees out of range.
  case place(latitude: Double, longitude: Double)
  /// A radius in meters that is not above zero, not a number, or exceeds half a meridian.
  case radius(Double, most: Double)
  /// The number of corners is outside the possible range.
  case corners(Int, possible: ClosedRange<Int>)
  /// A corner is this many meters from the middle of all corners, more than the limit.
  case extent(Double, most: Double)
}

/// On which side of a region's border the device is.
package enum RegionState: UInt8, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

/// When an entry into a region counts, and after how long without a deciding position its owner is informed.
package struct RegionTiming: Hashable, Sendable {
  /// An entry counts once the device has been inside for this many seconds; `nil`: at once.
  package let dwellSeconds: Int?
  /// The region becomes unknown this many seconds after the last position that decided on which side of its border the device is;
  /// `nil`: never.
  package let unknownAfterSeconds: Int?

  /// The valid range in seconds: one second to one week.
  package static let possible = 1...604_800

  package init() { (dwellSeconds, unknownAfterSeconds) = (nil, nil) }

  /// `nil`: a duration is not one of `possible`.
  package init?(dwellSeconds: Int?, unknownAfterSeconds: Int?) {
    for seconds in [dwellSeconds, unknownAfterSeconds].compactMap(\.self) where !Self.possible.contains(seconds) {
      return nil
    }
    (self.dwellSeconds, self.unknownAfterSeconds) = (dwellSeconds, unknownAfterSeconds)
  }

  /// Whether it requests nothing.
  package var isEmpty: Bool { dwellSeconds == nil && unknownAfterSeconds == nil }
}

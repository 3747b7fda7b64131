import Geodesy
import Regions

/// Seeded shapes and positions, with more than their share at the poles, on the date line, on the equator, and next to each
/// other.
struct RandomShapes {
  var random: any RandomNumberGenerator
  /// The area in degrees: the whole world, or one town.
  enum Extent: CaseIterable {
    case world, town, northPole, southPole, dateLine
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

  mutating func place(_ extent: Extent) -> Coordinate {
    switch extent {
    case .world:
      let special: [Double] = [-90, 90, 0]
      let latitude =
        Int.random(in: 0..<8, using: &random) == 0 ? special.randomElement(using: &random) ?? 0 : number(-90...90)
      let longitude = Int.random(in: 0..<8, using: &random) == 0 ? 180 : number(-180...180)
      return Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
    case .town:
      return Coordinate(latitude: Angle(degrees: number(47...47.05)), longitude: Angle(degrees: number(8...8.05)))
    case .northPole:
      return Coordinate(latitude: Angle(degrees: number(89.98...90)), longitude: Angle(degrees: number(-180...180)))
    case .southPole:
      return Coordinate(latitude: Angle(degrees: -number(89.98...90)), longitude: Angle(degrees: number(-180...180)))
    case .dateLine:
      let longitude = (180 + number(-0.03...0.03)).remainder(dividingBy: 360)
      return Coordinate(latitude: Angle(degrees: number(-17.03 ... -17)), longitude: Angle(degrees: longitude))
    }
  }

  mutating func circle(_ extent: Extent) throws -> RegionShape {
    // From one centimeter to the other side of the Earth; in a town, up to the size at which thousands of them overlap.
    let greatest = extent == .world ? 7.3 : 3.3
    let radius = Math.exp(number(-2...greatest) * Math.log(10))
    return .circle(try CircleShape(center: place(extent), radius: Meters(min(radius, 20_003_931))))
  }

  /// A star around a position, with rays of different lengths, so that it is not convex.
  mutating func star(_ extent: Extent) throws -> RegionShape {
    let middle = place(extent)
    let size = Math.exp(number(1...(extent == .world ? 6 : 3)) * Math.log(10))
    let count = Int.random(in: 3...9, using: &random)
    let start = number(0...360)
    var corners: [Coordinate] = []
    for corner in 0..<count {
      let course = Angle(degrees: start + Double(corner) * 360 / Double(count))
      corners.append(Geodesic.direct(from: middle, course: course, distance: Meters(size * number(0.3...1))).coordinate)
    }
    if Bool.random(using: &random) { corners.reverse() }
    return .polygon(try PolygonShape(corners: corners))
  }

  mutating func shape(_ extent: Extent) throws -> RegionShape {
    Int.random(in: 0..<4, using: &random) == 0 ? try star(extent) : try circle(extent)
  }

  /// A position within a meter of a shape's border, where the approximate test is not enough.
  mutating func place(nearBorderOf shape: RegionShape) -> Coordinate {
    switch shape {
    case .circle(let circle):
      let distance = circle.radius.value + number(-0.02...0.02)
      return Geodesic.direct(
        from: circle.center, course: Angle(degrees: number(0...360)), distance: Meters(max(0, distance))
      ).coordinate
    case .polygon(let polygon):
      let side = Int.random(in: 0..<polygon.corners.count, using: &random)
      let (a, b) = (polygon.corners[side], polygon.corners[(side + 1) % polygon.corners.count])
      let line = Geodesic.inverse(from: a, to: b)
      let on = Geodesic.direct(from: a, course: line.initialCourse, distance: line.distance * number(0...1)).coordinate
      return Geodesic.direct(from: on, course: Angle(degrees: number(0...360)), distance: Meters(number(0...1)))
        .coordinate
    }
  }
}

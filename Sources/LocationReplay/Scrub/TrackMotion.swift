package import Geodesy

/// Moves a track elsewhere and rotates it, as a sheet of paper is moved over a globe.
///
/// The first fix is the anchor. Every position is expressed as its distance and direction from the anchor along the
/// ellipsoid, and is placed at the same distance and, except for one rotation, in the same direction from a secret
/// destination. Distances from the anchor are kept exactly. Those between other positions are distorted because the
/// earth's curvature differs at both ends: within r of the anchor by less than r² · 10⁻¹⁶ m⁻² of themselves, which is 1
/// cm per 100 km at r = 30 km.
package struct TrackMotion: Sendable {
  private let destination: Coordinate
  /// Degrees clockwise at the anchor.
  private let turn: Double
  private let dither: Dither
  private var anchor: Coordinate?
  /// The position that was moved last, and its result: several messages contain each position.
  private var latest: Move?
  /// The clockwise rotation of directions at the position that was moved last, degrees.
  package private(set) var localTurn: Double

  /// A position before and after the move.
  package struct Move: Hashable, Sendable {
    package let original: Coordinate
    package let moved: Coordinate
  }

  /// The position that was moved last.
  package var latestMove: Move? { latest }

  /// A motion to a random position in the middle latitudes, with a random rotation.
  package init(using generator: inout some RandomNumberGenerator) {
    let latitude = Double.random(in: 30..<60, using: &generator)
    destination = Coordinate(
      latitude: Angle(degrees: Bool.random(using: &generator) ? latitude : -latitude),
      longitude: Angle(degrees: Double.random(in: -180..<180, using: &generator)))
    turn = Double.random(in: 0..<360, using: &generator)
    localTurn = turn
    dither = Dither(using: &generator)
  }

  /// The new position; `nil` before the first fix.
  /// - Parameters:
  ///   - reported: the position in the message.
  ///   - step: its resolution in the message, degrees.
  ///   - isFix: whether the receiver reports it as valid, so that it may be the anchor.
  package mutating func move(_ reported: Coordinate, step: Double, isFix: Bool) -> Coordinate? {
    if let latest, latest.original == reported { return latest.moved }
    let place = spread(reported, step)
    guard let anchor = anchor ?? (isFix ? place : nil) else { return nil }
    self.anchor = anchor
    let way = Geodesic.inverse(from: anchor, to: place)
    guard way.distance.value > 0 else {
      localTurn = turn
      latest = Move(original: reported, moved: destination)
      return destination
    }
    let end = Geodesic.direct(
      from: destination, course: Angle(degrees: way.initialCourse.degrees + turn), distance: way.distance)
    localTurn = end.finalCourse.degrees - way.finalCourse.degrees
    latest = Move(original: reported, moved: end.coordinate)
    return end.coordinate
  }

  /// A direction at the position that was moved last, rotated with it, 0…<360°. Exactly 0, which a receiver at rest
  /// reports, stays 0: if rotated, it would reveal the rotation.
  package func turned(_ course: Double, isMoving: Bool) -> Double {
    course == 0 && !isMoving ? 0 : Self.wrapped(course + localTurn)
  }

  /// Rotates a vector of integers at that position with it, after adding an offset of at most half a unit to each
  /// component (`spread`); a zero vector stays zero.
  package func turned(north: Double, east: Double) -> (north: Double, east: Double) {
    guard north != 0 || east != 0 else { return (0, 0) }
    let offset = spread(north, east, 0)
    return rotated(north: offset.0, east: offset.1)
  }

  /// Rotates a vector at that position with it.
  package func rotated(north: Double, east: Double) -> (north: Double, east: Double) {
    let radians = Angle(degrees: localTurn).radians
    let (sine, cosine) = (Math.sin(radians), Math.cos(radians))
    return (north * cosine - east * sine, north * sine + east * cosine)
  }

  /// Adds to each of three related integers an offset of at most half a step. The same three always get the same offsets.
  package func spread(_ a: Double, _ b: Double, _ c: Double) -> (Double, Double, Double) {
    let offset = dither.offsets(Int64(a), Int64(b), Int64(c))
    return (a + offset.0, b + offset.1, c + offset.2)
  }

  private func spread(_ place: Coordinate, _ step: Double) -> Coordinate {
    guard step > 0 else { return place }
    let offset = dither.offsets(
      Int64((place.latitude.degrees / step).rounded()), Int64((place.longitude.degrees / step).rounded()))
    let latitude = place.latitude.degrees + offset.0 * step
    return Coordinate(
      latitude: Angle(degrees: min(90, max(-90, latitude))),
      longitude: Angle(degrees: (place.longitude.degrees + offset.1 * step).remainder(dividingBy: 360)))
  }

  static func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.remainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }
}

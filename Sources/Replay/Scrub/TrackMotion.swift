package import Geodesy

/// Moves a track elsewhere and turns it, as a sheet of paper is moved over a globe.
///
/// The first fix is the anchor. Every place is told by how far and which way it lies from the anchor along the ellipsoid,
/// and goes as far and, but for one turn, the same way from a secret destination. Distances from the anchor are kept
/// exactly. Those between other places suffer from the Earth's being curved differently at both ends: within r of the anchor
/// by less than r² · 10⁻¹⁶ m⁻² of themselves, which is 1 cm in 100 km at r = 30 km.
package struct TrackMotion: Sendable {
  private let destination: Coordinate
  /// Degrees clockwise at the anchor.
  private let turn: Double
  private let dither: Dither
  private var anchor: Coordinate?
  /// The place that was moved last, and where to: several messages tell each.
  private var latest: Move?
  /// By how many degrees directions are turned clockwise at the place that was moved last.
  package private(set) var localTurn: Double

  /// A place, and where it came to.
  package struct Move: Hashable, Sendable {
    package let original: Coordinate
    package let moved: Coordinate
  }

  /// The place that was moved last.
  package var latestMove: Move? { latest }

  /// A motion to a random place in the middle latitudes, by a random turn.
  package init(using generator: inout some RandomNumberGenerator) {
    let latitude = Double.random(in: 30..<60, using: &generator)
    destination = Coordinate(
      latitude: Angle(degrees: Bool.random(using: &generator) ? latitude : -latitude),
      longitude: Angle(degrees: Double.random(in: -180..<180, using: &generator)))
    turn = Double.random(in: 0..<360, using: &generator)
    localTurn = turn
    dither = Dither(using: &generator)
  }

  /// Where a place comes to; `nil` while no fix was seen.
  /// - Parameters:
  ///   - told: the place as it was told.
  ///   - step: the step of that telling, degrees.
  ///   - isFix: whether the receiver vouches for it, so that it may be the anchor.
  package mutating func move(_ told: Coordinate, step: Double, isFix: Bool) -> Coordinate? {
    if let latest, latest.original == told { return latest.moved }
    let place = spread(told, step)
    guard let anchor = anchor ?? (isFix ? place : nil) else { return nil }
    self.anchor = anchor
    let way = Geodesic.inverse(from: anchor, to: place)
    guard way.distance.value > 0 else {
      localTurn = turn
      latest = Move(original: told, moved: destination)
      return destination
    }
    let end = Geodesic.direct(
      from: destination, course: Angle(degrees: way.initialCourse.degrees + turn), distance: way.distance)
    localTurn = end.finalCourse.degrees - way.finalCourse.degrees
    latest = Move(original: told, moved: end.coordinate)
    return end.coordinate
  }

  /// A direction at the place that was moved last, turned with it, 0…<360°. Exactly 0 is what a receiver says that stands
  /// still, and stays: turned it would tell the turn.
  package func turned(_ course: Double, isMoving: Bool) -> Double {
    course == 0 && !isMoving ? 0 : Self.wrapped(course + localTurn)
  }

  /// A vector at that place, turned with it, whole numbers to whole numbers; none stays none.
  package func turned(north: Double, east: Double) -> (north: Double, east: Double) {
    guard north != 0 || east != 0 else { return (0, 0) }
    let offset = spread(north, east, 0)
    return rotated(north: offset.0, east: offset.1)
  }

  /// A vector at that place, turned with it.
  package func rotated(north: Double, east: Double) -> (north: Double, east: Double) {
    let radians = Angle(degrees: localTurn).radians
    let (sine, cosine) = (Math.sin(radians), Math.cos(radians))
    return (north * cosine - east * sine, north * sine + east * cosine)
  }

  /// Three whole numbers that belong together, each spread over its step.
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

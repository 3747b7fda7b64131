import Geodesy

/// A track through a town whose streets are a grid, with one position per second: straight on, with a possible turn at each
/// corner.
package struct SimulatedStreets: Sendable {
  /// The distance between two streets, in meters.
  package static let block = 110.0
  /// The direction of the streets in radians, chosen so that it differs from that of every grid.
  private static let turn = 0.35

  /// Positions in meters east and north of the center of the town, one second apart.
  package private(set) var places: [SIMD2<Double>] = []
  /// The speed in m/s.
  package let speed: Double

  /// This many seconds at one speed, no farther than `extent` from the center along either direction of the streets.
  package init(seconds: Int, speed: Double, extent: Double, seed: UInt64) {
    self.speed = speed
    var random = SplitMix64(seed: seed)
    let corners = Int(extent / Self.block)
    var corner = SIMD2(
      Int.random(in: -corners...corners, using: &random), .random(in: -corners...corners, using: &random))
    var direction = SIMD2(1, 0)
    var gone = 0.0
    for _ in 0..<seconds {
      let place = (SIMD2<Double>(corner) + SIMD2<Double>(direction) * (gone / Self.block)) * Self.block
      places.append(
        SIMD2(
          place.x * Math.cos(Self.turn) - place.y * Math.sin(Self.turn),
          place.x * Math.sin(Self.turn) + place.y * Math.cos(Self.turn)))
      gone += speed
      guard gone >= Self.block else { continue }
      gone -= Self.block
      corner &+= direction
      let ways = [direction, SIMD2(-direction.y, direction.x), SIMD2(direction.y, -direction.x)]
      let free = ways.filter { way in
        let next = corner &+ way
        return abs(next.x) <= corners && abs(next.y) <= corners
      }
      direction = free.randomElement(using: &random) ?? (SIMD2<Int>.zero &- direction)
    }
  }

  /// The position at a time in seconds since the start; before and after the track, its ends.
  package func place(at seconds: Double) -> SIMD2<Double> {
    let clamped = min(Double(places.count - 1), max(0, seconds))
    let index = min(places.count - 2, Int(clamped))
    return places[index] + (places[index + 1] - places[index]) * (clamped - Double(index))
  }
}

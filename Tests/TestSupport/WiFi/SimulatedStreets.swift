import Geodesy

/// A way through a town whose streets are a grid, a point a second: straight on, and at a corner perhaps another way.
package struct SimulatedStreets: Sendable {
  /// Between two streets, metres.
  package static let block = 110.0
  /// The streets' direction, radians, so that they are not those of any grid.
  private static let turn = 0.35

  /// Metres east and north of the middle of the town, a second apart.
  package private(set) var places: [SIMD2<Double>] = []
  /// m/s.
  package let speed: Double

  /// So many seconds at one speed, no farther than `extent` from the middle along either street.
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

  /// Where it was at a moment, seconds from its beginning; its ends beyond these.
  package func place(at seconds: Double) -> SIMD2<Double> {
    let clamped = min(Double(places.count - 1), max(0, seconds))
    let index = min(places.count - 2, Int(clamped))
    return places[index] + (places[index + 1] - places[index]) * (clamped - Double(index))
  }
}

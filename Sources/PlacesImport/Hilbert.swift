import PlacesCore

/// The order of points along a Hilbert curve, in which neighbors in the order are neighbors on the map
/// (Skilling, Programming the Hilbert curve, 2004).
enum Hilbert {
  /// The position of a point on the curve of 2^26 steps in each direction.
  static func position(of point: LocalPoint) -> Int64 {
    var x = UInt32((Int64(point.x) + 180_000_000) * ((1 << 26) - 1) / 360_000_000)
    var y = UInt32((Int64(point.y) + 90_000_000) * ((1 << 26) - 1) / 180_000_000)
    var position: Int64 = 0
    var side: UInt32 = 1 << 25
    while side > 0 {
      let right: UInt32 = x & side > 0 ? 1 : 0
      let upper: UInt32 = y & side > 0 ? 1 : 0
      position = position << 2 | Int64((3 * right) ^ upper)
      if upper == 0 {
        if right == 1 { (x, y) = (~x & ((1 << 26) - 1), ~y & ((1 << 26) - 1)) }
        swap(&x, &y)
      }
      side >>= 1
    }
    return position
  }
}

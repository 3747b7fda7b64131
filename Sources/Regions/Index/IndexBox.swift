/// A cube of the octree over the earth-centred frame, in the units of `GridPoint`, counted from −2³¹ on each axis.
struct IndexBox: Hashable {
  /// The corner with the least coordinates, less 2³¹.
  var corner: SIMD3<Double>
  /// A power of two.
  var side: Double

  /// All that there is.
  static let whole = IndexBox(corner: SIMD3(repeating: -0x1p31), side: 0x1p32)

  var center: SIMD3<Double> { corner + side / 2 }

  /// One of the eight halves: bit 0 of the number is the upper half of x, bit 1 of y, bit 2 of z.
  func octant(_ number: Int) -> IndexBox {
    let half = side / 2
    let upper = SIMD3<Double>(Double(number & 1), Double(number >> 1 & 1), Double(number >> 2 & 1))
    return IndexBox(corner: corner + upper * half, side: half)
  }

  /// The octant that a point of it lies in.
  func octant(of point: SIMD3<Double>) -> Int {
    let middle = center
    return (point.x >= middle.x ? 1 : 0) | (point.y >= middle.y ? 2 : 0) | (point.z >= middle.z ? 4 : 0)
  }

  /// Squared distance from a point to the nearest one of the box; 0 inside.
  func squaredDistance(from point: SIMD3<Double>) -> Double {
    func outside(_ value: Double, _ low: Double) -> Double {
      value < low ? low - value : value > low + side ? value - low - side : 0
    }
    let (x, y, z) = (outside(point.x, corner.x), outside(point.y, corner.y), outside(point.z, corner.z))
    return x * x + y * y + z * z
  }

  /// The earth's surface in it.
  var patch: SurfacePatch { SurfacePatch(in: self) }
}

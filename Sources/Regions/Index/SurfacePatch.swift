/// Where in a cube the earth's surface may be: a box, in the units of `GridPoint`. Of a cube that the surface cuts slantwise it is
/// most, of one whose edge it cuts off little.
struct SurfacePatch {
  private var low: SIMD3<Double>
  private var high: SIMD3<Double>

  /// Where it is not in the cube, a box that is far from everything.
  ///
  /// With the middle of the cube c and its half side h, x²/a² + y²/a² + z²/b² − 1 is F + 2 g·δ + q at c + δ, where q is between 0
  /// and 3h²/b². Where that is 0, each coordinate of δ is bounded by what the others may be.
  init(in box: IndexBox) {
    let axes = SIMD3(Surface.equatorialRadius, Surface.equatorialRadius, Surface.polarRadius) * GridPoint.perMeter
    // A unit more, as points lie beside the surface by as much.
    let half = box.side / 2 + 1
    let center = box.center
    let scaled = center / axes
    let slope = scaled / axes
    let value = scaled.dot(scaled) - 1
    let (least, most) = ((-value - 3 * half * half / (axes.z * axes.z)) / 2, -value / 2)
    // Room for the rounding of all this.
    let slack = 1e-12
    (low, high) = (SIMD3(repeating: -half), SIMD3(repeating: half))
    for _ in 0..<2 {
      for axis in 0..<3 where abs(slope[axis]) > 1e-13 {
        var (others, otherMost) = (0.0, 0.0)
        for other in 0..<3 where other != axis {
          let (p, q) = (slope[other] * low[other], slope[other] * high[other])
          others += min(p, q)
          otherMost += max(p, q)
        }
        let (p, q) = ((least - otherMost - slack) / slope[axis], (most - others + slack) / slope[axis])
        low[axis] = max(low[axis], min(p, q))
        high[axis] = min(high[axis], max(p, q))
        guard low[axis] <= high[axis] else {
          (low, high) = (SIMD3(repeating: .infinity), SIMD3(repeating: .infinity))
          return
        }
      }
    }
    low += center
    high += center
  }

  /// Squared distance from a point to the nearest one of the patch; 0 inside.
  @inline(__always) func squaredDistance(from point: SIMD3<Double>) -> Double {
    @inline(__always) func outside(_ value: Double, _ low: Double, _ high: Double) -> Double {
      value < low ? low - value : value > high ? value - high : 0
    }
    let x = outside(point.x, low.x, high.x)
    let y = outside(point.y, low.y, high.y)
    let z = outside(point.z, low.z, high.z)
    return x * x + y * y + z * z
  }

  /// Squared distance from a point to the furthest one of the patch.
  func squaredFurthest(from point: SIMD3<Double>) -> Double {
    let x = max(point.x - low.x, high.x - point.x)
    let y = max(point.y - low.y, high.y - point.y)
    let z = max(point.z - low.z, high.z - point.z)
    return x * x + y * y + z * z
  }
}

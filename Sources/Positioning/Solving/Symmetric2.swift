/// A symmetric matrix of two rows.
struct Symmetric2 {
  var xx = 0.0
  var xy = 0.0
  var yy = 0.0

  /// Adds weight · v vᵀ.
  mutating func add(_ v: SIMD2<Double>, _ weight: Double) {
    xx += weight * v.x * v.x
    xy += weight * v.x * v.y
    yy += weight * v.y * v.y
  }

  mutating func add(diagonal: Double) {
    xx += diagonal
    yy += diagonal
  }

  func plus(diagonal: Double) -> Symmetric2 { Symmetric2(xx: xx + diagonal, xy: xy, yy: yy + diagonal) }

  func minus(_ other: Symmetric2) -> Symmetric2 {
    Symmetric2(xx: xx - other.xx, xy: xy - other.xy, yy: yy - other.yy)
  }

  /// Of a positive definite one.
  var inverse: Symmetric2 {
    let determinant = xx * yy - xy * xy
    return Symmetric2(xx: yy / determinant, xy: -xy / determinant, yy: xx / determinant)
  }

  static func * (a: Symmetric2, v: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(a.xx * v.x + a.xy * v.y, a.xy * v.x + a.yy * v.y)
  }

  /// This one, `middle`, and this one again: symmetric.
  func around(_ middle: Symmetric2) -> Symmetric2 {
    let (first, second) = (self * SIMD2(middle.xx, middle.xy), self * SIMD2(middle.xy, middle.yy))
    return Symmetric2(
      xx: first.x * xx + second.x * xy, xy: first.x * xy + second.x * yy, yy: first.y * xy + second.y * yy)
  }
}

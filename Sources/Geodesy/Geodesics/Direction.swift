/// An angle as its sine and cosine, which keeps full precision where the angle itself would lose it.
struct Direction {
  var sine: Double
  var cosine: Double

  /// A direction from a point of the plane; a point at the origin stays there.
  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The direction of `degrees` + `remainder`, exact at every multiple of 90°.
  ///
  /// The turns are taken off in degrees, where that is exact, before the rest becomes radians.
  init(degrees: Double, remainder: Double = 0) {
    let reduced = degrees.remainder(dividingBy: 360)
    let rest = reduced.remainder(dividingBy: 90)
    let radians = (rest + remainder) * (Double.pi / 180)
    let (sine, cosine) = (Math.sin(radians), Math.cos(radians))
    switch ((reduced - rest) / 90).rounded() {
    case 1: self.init(sine: cosine, cosine: -sine)
    case 2, -2: self.init(sine: -sine, cosine: -cosine)
    case -1: self.init(sine: -cosine, cosine: sine)
    default: self.init(sine: sine, cosine: cosine)
    }
  }

  /// The angle, −π…π.
  var radians: Double { Math.atan2(sine, cosine) }

  /// The angle in degrees, −180…180°. Near the axes it is taken from the nearer one, so that these are exact.
  var degrees: Double {
    let toDegrees = 180 / Double.pi
    if abs(sine) <= abs(cosine) {
      let fromAxis = Math.atan2(sine, abs(cosine)) * toDegrees
      return cosine >= 0 ? fromAxis : (sine.sign == .minus ? -180 : 180) - fromAxis
    }
    let fromAxis = Math.atan2(cosine, abs(sine)) * toDegrees
    return sine > 0 ? 90 - fromAxis : fromAxis - 90
  }

  /// The same direction with sine² + cosine² = 1.
  var normalized: Direction {
    let length = Math.hypot(sine, cosine)
    return Direction(sine: sine / length, cosine: cosine / length)
  }

  /// The direction turned by another.
  static func + (a: Direction, b: Direction) -> Direction {
    Direction(sine: a.sine * b.cosine + a.cosine * b.sine, cosine: a.cosine * b.cosine - a.sine * b.sine)
  }

  /// The direction turned back by another.
  static func - (a: Direction, b: Direction) -> Direction {
    Direction(sine: a.sine * b.cosine - a.cosine * b.sine, cosine: a.cosine * b.cosine + a.sine * b.sine)
  }
}

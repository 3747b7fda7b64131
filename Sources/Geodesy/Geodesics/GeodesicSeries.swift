/// The series to order 6 of C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), 43–55.
///
/// `ε` is the expansion parameter of equation (16), `n` the third flattening. Each list of coefficients begins with
/// the one of sin 2σ.
enum GeodesicSeries {
  /// A₁, equation (17): the distance integral per radian.
  static func a1(_ ε: Double) -> Double {
    let ε2 = ε * ε
    return (1 + ε2 * (1 / 4 + ε2 * (1 / 64 + ε2 / 256))) / (1 - ε)
  }

  /// C₁, equation (18): the periodic terms of the distance integral.
  static func c1(_ ε: Double) -> [6 of Double] {
    let ε2 = ε * ε
    let ε3 = ε2 * ε
    return [
      ε * (-1 / 2 + ε2 * (3 / 16 - ε2 / 32)),
      ε2 * (-1 / 16 + ε2 * (1 / 32 - ε2 * 9 / 2048)),
      ε3 * (-1 / 48 + ε2 * 3 / 256),
      ε2 * ε2 * (-5 / 512 + ε2 * 3 / 512),
      ε3 * ε2 * (-7 / 1280),
      ε3 * ε3 * (-7 / 2048),
    ]
  }

  /// C₁′, equation (21): the inverse of the distance integral.
  static func c1Inverse(_ ε: Double) -> [6 of Double] {
    let ε2 = ε * ε
    let ε3 = ε2 * ε
    return [
      ε * (1 / 2 + ε2 * (-9 / 32 + ε2 * 205 / 1536)),
      ε2 * (5 / 16 + ε2 * (-37 / 96 + ε2 * 1335 / 4096)),
      ε3 * (29 / 96 - ε2 * 75 / 128),
      ε2 * ε2 * (539 / 1536 - ε2 * 2391 / 2560),
      ε3 * ε2 * 3467 / 7680,
      ε3 * ε3 * 38_081 / 61_440,
    ]
  }

  /// A₂, equation (42): the second part of the reduced length.
  static func a2(_ ε: Double) -> Double {
    let ε2 = ε * ε
    return (1 - ε) * (1 + ε2 * (1 / 4 + ε2 * (9 / 64 + ε2 * 25 / 256)))
  }

  /// C₂, equation (43).
  static func c2(_ ε: Double) -> [6 of Double] {
    let ε2 = ε * ε
    let ε3 = ε2 * ε
    return [
      ε * (1 / 2 + ε2 * (1 / 16 + ε2 / 32)),
      ε2 * (3 / 16 + ε2 * (1 / 32 + ε2 * 35 / 2048)),
      ε3 * (5 / 48 + ε2 * 5 / 256),
      ε2 * ε2 * (35 / 512 + ε2 * 7 / 512),
      ε3 * ε2 * 63 / 1280,
      ε3 * ε3 * 77 / 2048,
    ]
  }

  /// A₃, equation (24): the longitude integral per radian.
  static func a3(_ ε: Double, n: Double) -> Double {
    let linear = 1 / 2 - n / 2
    let square = 1 / 4 + n * (1 / 8 - n * 3 / 8)
    let cube = 1 / 16 + n * (3 / 16 + n / 16)
    let fourth = 3 / 64 + n / 32
    return 1 - ε * (linear + ε * (square + ε * (cube + ε * (fourth + ε * 3 / 128))))
  }

  /// C₃, equation (25): the periodic terms of the longitude integral; there is no sixth term.
  static func c3(_ ε: Double, n: Double) -> [6 of Double] {
    let ε2 = ε * ε
    let ε3 = ε2 * ε
    let wave1Cube = 3 / 64 + n * (3 / 64 - n / 64)
    let wave1Square = 1 / 8 - n * n / 8
    let wave2Square = 1 / 16 + n * (-3 / 32 + n / 32)
    let wave2Cube = 3 / 64 + n * (-1 / 32 - n * 3 / 64)
    let wave3Cube = 5 / 192 + n * (-3 / 64 + n * 5 / 192)
    return [
      ε * (1 / 4 - n / 4 + ε * (wave1Square + ε * (wave1Cube + ε * (5 / 128 + n / 64 + ε * 3 / 128)))),
      ε2 * (wave2Square + ε * (wave2Cube + ε * (3 / 128 + n / 128 + ε * 5 / 256))),
      ε3 * (wave3Cube + ε * (3 / 128 - n * 5 / 192 + ε * 7 / 512)),
      ε2 * ε2 * (7 / 512 - n * 7 / 256 + ε * 7 / 512),
      ε3 * ε2 * 21 / 2560,
      0,
    ]
  }

  /// Σ c_l sin 2lσ by Clenshaw's recurrence.
  static func sineSum(_ coefficients: [6 of Double], at σ: Direction) -> Double {
    let twice = 2 * (σ.cosine - σ.sine) * (σ.cosine + σ.sine)
    var (current, previous) = (0.0, 0.0)
    for index in coefficients.indices.reversed() {
      (current, previous) = (coefficients[index] + twice * current - previous, current)
    }
    return 2 * σ.sine * σ.cosine * current
  }
}

/// An angle as its sine and cosine, which keeps full precision where the angle itself would lose it.
struct Direction {
  var sine: Double
  var cosine: Double

  /// The direction of a point in the plane, which need not lie on the unit circle.
  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The direction of `degrees` + `remainder`, exact at every multiple of 90°.
  ///
  /// Quarter turns are subtracted in degrees, where that is exact, before the rest is converted to radians.
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

  /// The angle in degrees, −180…180°. Measured from the nearest axis, so that angles on the axes are exact.
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

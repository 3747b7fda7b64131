/// Solves the inverse problem: finds the azimuth at which a geodesic has to leave the first point to meet the second
/// (Karney 2013, sections 4 and 5).
struct GeodesicInverse {
  /// A line in the canonical configuration: azimuths at both ends, length in meters.
  struct Line {
    var α1: Direction
    var α2: Direction
    var distance: Double
  }

  private static let unit = Double.ulpOfOne
  private static let rootOfUnit = unit.squareRoot()
  /// Replaces zero where a sine must not vanish.
  static let tiny = Double.leastNormalMagnitude.squareRoot()

  private let ellipsoid: Ellipsoid
  private var f: Double { ellipsoid.flattening }

  init(_ ellipsoid: Ellipsoid) { self.ellipsoid = ellipsoid }

  /// The shortest line between two points in any position.
  func solve(from first: Coordinate, to second: Coordinate) -> Geodesic.Inverse {
    // Convert to the canonical configuration, equation (44): φ₁ ≤ 0, |φ₂| ≤ −φ₁, 0 ≤ λ₁₂ ≤ 180°.
    let (longitude, remainder) = Self.difference(first.longitude.degrees, second.longitude.degrees)
    let isSwapped = abs(first.latitude.degrees) < abs(second.latitude.degrees)
    let (far, near) = isSwapped ? (second, first) : (first, second)
    let northSign: Double = far.latitude.degrees < 0 ? 1 : -1
    let eastSign: Double = (longitude < 0) != isSwapped ? -1 : 1
    let side: Double = longitude < 0 ? -1 : 1
    let λ12 = Longitude(degrees: side * longitude, remainder: side * remainder)
    let β1 = Geodesic.reducedLatitude(Angle(degrees: northSign * far.latitude.degrees), on: ellipsoid)
    var β2 = Geodesic.reducedLatitude(Angle(degrees: northSign * near.latitude.degrees), on: ellipsoid)
    // Rounding may make equal latitudes differ in the last bit: make them exactly equal again.
    if abs(near.latitude.degrees) == abs(far.latitude.degrees) {
      β2 = Direction(sine: near.latitude == far.latitude ? β1.sine : -β1.sine, cosine: β1.cosine)
    }

    let line = canonical(β1, β2, λ12, isPole: abs(far.latitude.degrees) == 90)
    // Identical points have distance 0, whatever the processor's rounding gives.
    let isSame = longitude == 0 && remainder == 0 && first.latitude == second.latitude
    guard line.distance > 0, !isSame else {
      let north = Angle(degrees: 0)
      return Geodesic.Inverse(distance: Meters(0), initialCourse: north, finalCourse: north)
    }
    // Convert back from the canonical configuration.
    let (start, end) = isSwapped ? (line.α2, line.α1) : (line.α1, line.α2)
    let turn: Double = isSwapped ? -1 : 1
    func course(_ α: Direction) -> Angle {
      Geodesic.course(of: Direction(sine: turn * eastSign * α.sine, cosine: turn * northSign * α.cosine))
    }
    return Geodesic.Inverse(
      distance: Meters(line.distance), initialCourse: course(start), finalCourse: course(end))
  }

  /// b − a in degrees, −180…180, and its rounding error.
  private static func difference(_ a: Double, _ b: Double) -> (Double, remainder: Double) {
    let sum = b - a
    let partOfB = sum + a
    let remainder = (b - partOfB) + ((partOfB - sum) - a)
    return (sum.remainder(dividingBy: 360), remainder)
  }

  /// A longitude difference, 0…180°, with full precision near both ends.
  private struct Longitude {
    let direction: Direction
    let radians: Double
    /// 180° minus the difference, in degrees.
    let supplement: Double

    init(degrees: Double, remainder: Double) {
      supplement = (180 - degrees) - remainder
      radians = (degrees + remainder) * (Double.pi / 180)
      guard degrees > 90 else {
        direction = Direction(degrees: degrees, remainder: remainder)
        return
      }
      let opposite = Direction(degrees: supplement)
      direction = Direction(sine: opposite.sine, cosine: -opposite.cosine)
    }
  }

  private func canonical(_ β1: Direction, _ β2: Direction, _ λ12: Longitude, isPole: Bool) -> Line {
    if isPole || λ12.direction.sine == 0 { return meridian(β1, β2, λ12.direction) }
    if β1.sine == 0, λ12.supplement >= f * 180 {
      let east = Direction(sine: 1, cosine: 0)
      return Line(α1: east, α2: east, distance: ellipsoid.equatorialRadius * λ12.radians)
    }
    switch guess(β1, β2, λ12) {
    case .short(let line): return line
    case .azimuth(let α1): return search(β1, β2, λ12.direction, from: α1)
    }
  }

  /// The line along a meridian, over the near pole if the longitudes are opposite.
  private func meridian(_ β1: Direction, _ β2: Direction, _ λ12: Direction) -> Line {
    let α2 = Direction(sine: 0, cosine: 1)
    let arc = GeodesicArc(on: ellipsoid, from: β1, azimuth: λ12)
    let σ2 = Direction(sine: β2.sine, cosine: β2.cosine)
    let σ12 = GeodesicArc.length(from: arc.start, to: σ2)
    return Line(α1: λ12, α2: α2, distance: max(0, arc.distance(to: σ2, arc: σ12)))
  }

  // MARK: First guess

  private enum Guess {
    /// The line is so short that the scaled solution on the sphere is exact to rounding.
    case short(Line)
    case azimuth(Direction)
  }

  private func guess(_ β1: Direction, _ β2: Direction, _ λ12: Longitude) -> Guess {
    let difference = β2 - β1
    let sum = β2 + β1
    let isShort = difference.cosine >= 0 && difference.sine < 0.5 && β2.cosine * λ12.radians < 0.5
    // Equation (48): on a short line, scale longitudes by the ellipsoid's shape at the mean latitude.
    var scale = 1.0
    var ω12 = λ12.direction
    if isShort {
      let sineSum = β1.sine + β2.sine
      let cosineSum = β1.cosine + β2.cosine
      let meanSquare = sineSum * sineSum / (sineSum * sineSum + cosineSum * cosineSum)
      scale = (1 + ellipsoid.secondEccentricitySquared * meanSquare).squareRoot()
      let ω = λ12.radians / ((1 - f) * scale)
      ω12 = Direction(sine: Math.sin(ω), cosine: Math.cos(ω))
    }
    // Equation (49): the great circle's azimuths, in a form that keeps its precision for near points.
    let squareOfSine = ω12.sine * ω12.sine
    var α1 = Direction(
      sine: β2.cosine * ω12.sine,
      cosine: ω12.cosine >= 0
        ? difference.sine + β2.cosine * β1.sine * squareOfSine / (1 + ω12.cosine)
        : sum.sine - β2.cosine * β1.sine * squareOfSine / (1 - ω12.cosine))
    let sineOfArc = Math.hypot(α1.sine, α1.cosine)
    let cosineOfArc = β1.sine * β2.sine + β1.cosine * β2.cosine * ω12.cosine

    // The error of equation (48) grows with the square of the arc and is below rounding here (Karney 2013, section 4).
    let shortLimit =
      0.1 * Self.rootOfUnit / (max(0.001, f) * min(1, 1 - f / 2) / 2).squareRoot()
    if isShort, sineOfArc < shortLimit {
      let versine = ω12.cosine >= 0 ? squareOfSine / (1 + ω12.cosine) : 1 - ω12.cosine
      let α2 = Direction(
        sine: β1.cosine * ω12.sine, cosine: difference.sine - β1.cosine * β2.sine * versine)
      let distance = Math.atan2(sineOfArc, cosineOfArc) * ellipsoid.polarRadius * scale
      return .short(Line(α1: α1, α2: α2, distance: distance))
    }
    if cosineOfArc < 0, sineOfArc < 6 * ellipsoid.thirdFlattening * .pi * β1.cosine * β1.cosine {
      α1 = nearlyAntipodal(β1, β2, sum: sum.sine, supplement: λ12.supplement * (.pi / 180))
    }
    return .azimuth(α1.sine > 0 ? α1.normalized : Direction(sine: 1, cosine: 0))
  }

  /// The first guess for nearly antipodal points, from the astroid that is the geodesics' envelope there (equations 51 to 56).
  private func nearlyAntipodal(_ β1: Direction, _ β2: Direction, sum: Double, supplement: Double) -> Direction {
    let expansion = GeodesicArc.expansion(ellipsoid.secondEccentricitySquared * β1.sine * β1.sine)
    let longitudeScale =
      f * β1.cosine * GeodesicSeries.a3(expansion, n: ellipsoid.thirdFlattening) * .pi
    let x = -supplement / longitudeScale
    let y = sum / (longitudeScale * β1.cosine)
    if y > -200 * Self.unit, x > -1 - 1000 * Self.rootOfUnit {
      // On the cut locus, where both ways around are equally long.
      let sine = min(1, -x)
      return Direction(sine: sine, cosine: -(1 - sine * sine).squareRoot())
    }
    let κ = Self.astroid(x, y)
    let ω = longitudeScale * -x * κ / (1 + κ)
    let (sine, cosine) = (Math.sin(ω), -Math.cos(ω))
    return Direction(
      sine: β2.cosine * sine, cosine: sum - β2.cosine * β1.sine * sine * sine / (1 - cosine))
  }

  /// The positive root κ of κ⁴ + 2κ³ − (x² + y² − 1)κ² − 2y²κ − y² = 0, equation (55), from its cubic resolvent.
  private static func astroid(_ x: Double, _ y: Double) -> Double {
    let (p, q) = (x * x, y * y)
    let r = (p + q - 1) / 6
    guard q > 0 || r > 0 else { return 0 }
    let s = p * q / 4
    let r3 = r * r * r
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      let sum = s + r3
      let t = Math.cbrt(sum + (sum < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()))
      u += t + (t != 0 ? r * r / t : 0)
    } else {
      u += 2 * r * Math.cos(Math.atan2((-discriminant).squareRoot(), -(s + r3)) / 3)
    }
    let v = (u * u + q).squareRoot()
    let sum = u < 0 ? q / (v - u) : u + v
    let w = (sum - q) / (2 * v)
    return sum / ((sum + w * w).squareRoot() + w)
  }

  // MARK: Newton's method

  /// Newton's method inside a shrinking bracket, so that it always terminates (Karney 2013, section 4).
  private func search(_ β1: Direction, _ β2: Direction, _ λ12: Direction, from guess: Direction) -> Line {
    var α1 = guess
    var low = Direction(sine: Self.tiny, cosine: 1)
    var high = Direction(sine: Self.tiny, cosine: -1)
    var isLast = false
    for step in 0..<83 {
      let trial = GeodesicTrial(on: ellipsoid, from: β1, azimuth: α1, to: β2, λ12)
      let isThere = abs(trial.excess) < Self.unit
      if isThere || isLast || !trial.excess.isFinite || step == 82 {
        return Line(α1: α1, α2: trial.α2, distance: trial.arc.distance(to: trial.σ2, arc: trial.σ12))
      }
      if trial.excess > 0 { high = α1 } else { low = α1 }
      let derivative = trial.derivative
      let turn = -trial.excess / derivative
      let turned = α1 + Direction(sine: Math.sin(turn), cosine: Math.cos(turn))
      if step < 20, derivative > 0, abs(turn) < .pi, turned.sine > 0 {
        α1 = turned.normalized
        // Newton's method squares the error: one more step would only move the last bit.
        isLast = abs(trial.excess) <= 16 * Self.unit
      } else {
        let middle = Direction(sine: (low.sine + high.sine) / 2, cosine: (low.cosine + high.cosine) / 2)
        let width = abs(low.sine - middle.sine) + abs(low.cosine - middle.cosine)
        α1 = middle.normalized
        isLast = width < Self.unit * Self.rootOfUnit
      }
    }
    return Line(α1: α1, α2: α1, distance: .nan)
  }
}

/// A geodesic that leaves the first point with a trial azimuth, followed to the latitude of the second point: one step of
/// the inverse problem (Karney 2013, section 4).
struct GeodesicTrial {
  private let β1, β2: Direction
  /// Azimuth at the second point.
  let α2: Direction
  let arc: GeodesicArc
  let σ2: Direction
  let σ12: Double
  /// Longitude error at the end of the line, radians; positive if the line ends too far ahead.
  let excess: Double

  /// Follows the line that leaves `β1` with azimuth `α1` to `β2`, which should be `λ12` further in longitude.
  init(on ellipsoid: Ellipsoid, from β1: Direction, azimuth α1: Direction, to β2: Direction, _ λ12: Direction) {
    (self.β1, self.β2) = (β1, β2)
    // Due east on the equator is degenerate (every point is a turning point in latitude): tilt the line slightly south.
    let leaning = β1.sine == 0 && α1.cosine == 0 ? Direction(sine: 1, cosine: -GeodesicInverse.tiny) : α1
    arc = GeodesicArc(on: ellipsoid, from: β1, azimuth: leaning)
    // Equation (45), in the form with the least cancellation.
    let isSameLatitude = β2.cosine == β1.cosine && abs(β2.sine) == -β1.sine
    let gain =
      β1.cosine < -β1.sine
      ? (β2.cosine - β1.cosine) * (β1.cosine + β2.cosine) : (β1.sine - β2.sine) * (β1.sine + β2.sine)
    let across = leaning.cosine * β1.cosine
    α2 =
      isSameLatitude
      ? Direction(sine: leaning.sine, cosine: abs(leaning.cosine))
      : Direction(
        sine: arc.equatorialAzimuth.sine / β2.cosine,
        cosine: max(0, across * across + gain).squareRoot() / β2.cosine)
    let unscaled = Direction(sine: β2.sine, cosine: α2.cosine * β2.cosine)
    σ2 = unscaled.normalized
    σ12 = GeodesicArc.length(from: arc.start, to: σ2)
    let ω2 = Direction(sine: arc.equatorialAzimuth.sine * β2.sine, cosine: unscaled.cosine)
    let ω12 = GeodesicArc.ahead(ω2 - arc.startLongitude)
    excess = (ω12 - λ12).radians - arc.longitudeCorrection(to: σ2, arc: σ12)
  }

  /// dλ₁₂/dα₁, equation (46).
  var derivative: Double {
    let ellipsoid = arc.ellipsoid
    guard α2.cosine != 0 else {
      let stretch = (1 + ellipsoid.secondEccentricitySquared * β1.sine * β1.sine).squareRoot()
      return -2 * (1 - ellipsoid.flattening) * stretch / β1.sine
    }
    return arc.reducedLength(to: σ2, arc: σ12) * (1 - ellipsoid.flattening) / (α2.cosine * β2.cosine)
  }
}

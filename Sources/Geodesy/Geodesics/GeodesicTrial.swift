/// A geodesic that leaves the first point with some azimuth, followed until it has the second one's latitude: one step of
/// the inverse problem (Karney 2013, section 4).
struct GeodesicTrial {
  private let β1, β2: Direction
  /// Azimuth at the second point.
  let α2: Direction
  let arc: GeodesicArc
  let σ2: Direction
  let σ12: Double
  /// How much further in longitude it ends than it should, radians.
  let excess: Double

  /// Follows the line that leaves `β1` with azimuth `α1` to `β2`, which should be `λ12` further in longitude.
  init(on ellipsoid: Ellipsoid, from β1: Direction, azimuth α1: Direction, to β2: Direction, _ λ12: Direction) {
    (self.β1, self.β2) = (β1, β2)
    // On the equator due east is every latitude's turning point: lean a hair to the south.
    let leaning = β1.sine == 0 && α1.cosine == 0 ? Direction(sine: 1, cosine: -GeodesicInverse.tiny) : α1
    arc = GeodesicArc(on: ellipsoid, from: β1, azimuth: leaning)
    // Equation (45), in the form that loses least to cancellation.
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

/// Shifts all heights by one constant, and puts one constant in the place of the geoid's height, which tells a place.
///
/// The first height decides the shift: it comes to a random one of as many digits, since the fields of sentences keep their
/// widths. That heights have so many digits, and how they change, is therefore still seen.
package struct HeightShift: Sendable {
  /// What the geoid's height above the ellipsoid is said to be, metres.
  package let separation: Double
  /// Where within its range the first height comes to, 0…<1.
  private let fraction: Double
  private let ellipsoidalFraction: Double
  private var shift: Double?
  /// What the receiver said last of the geoid's height.
  private var toldSeparation: Double?
  private var ellipsoidal = Ellipsoidal.undecided

  /// How heights are shifted of which only that above the ellipsoid is told.
  private enum Ellipsoidal {
    case undecided
    /// As those above the sea, the geoid's height being known.
    case withSeparation
    /// By a constant of their own: the geoid's height, learnt later, would show as a step.
    case alone(Double)
  }

  package init(using generator: inout some RandomNumberGenerator) {
    separation = Double.random(in: 12..<52, using: &generator)
    fraction = Double.random(in: 0..<1, using: &generator)
    ellipsoidalFraction = Double.random(in: 0..<1, using: &generator)
  }

  /// A height above mean sea level, shifted; `nil` before the first of a fix. `separation`: the geoid's, where told too.
  package mutating func aboveSeaLevel(_ height: Double, separation told: Double?, isFix: Bool) -> Double? {
    if isFix, let told { toldSeparation = told }
    // A receiver that knows no height may say 0.
    if shift == nil, isFix, height != 0 { shift = Self.target(of: height, fraction) - height }
    return shift.map { height + $0 }
  }

  /// A height above the ellipsoid of which nothing else is told.
  package mutating func aboveEllipsoid(_ height: Double, isFix: Bool) -> Double? {
    if case .undecided = ellipsoidal, isFix, height != 0 {
      ellipsoidal =
        shift != nil && toldSeparation != nil
        ? .withSeparation : .alone(Self.target(of: height, ellipsoidalFraction) - height)
    }
    switch ellipsoidal {
    case .undecided: return nil
    case .withSeparation: return height + (shift ?? 0) + separation - (toldSeparation ?? 0)
    case .alone(let shift): return height + shift
    }
  }

  /// A random height with as many digits, with room around it.
  private static func target(of height: Double, _ fraction: Double) -> Double {
    switch height.magnitude {
    case ..<10: 3 + 4 * fraction
    case ..<100: 25 + 50 * fraction
    case ..<1000: 250 + 500 * fraction
    default: 1500 + 2000 * fraction
    }
  }
}

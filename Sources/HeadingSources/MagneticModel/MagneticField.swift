package import Geodesy

/// The Earth's magnetic field at a place: a vector in the local frame of the ellipsoid.
package struct MagneticField: Hashable, Sendable {
  /// Component toward true north, nT.
  package let northNanotesla: Double
  /// Component toward east, nT.
  package let eastNanotesla: Double
  /// Component downward, nT; negative in the southern magnetic hemisphere.
  package let downNanotesla: Double
  /// Whether the model is valid at this date.
  package let validity: Validity

  /// Where a date lies relative to the years for which the model was made.
  package enum Validity: Hashable, Sendable {
    case valid
    /// Before the model's epoch: an earlier model is more accurate.
    case beforeModel
    /// After the last year of the model: its error grows by about 0.4° (95 %) in two years.
    case afterModel
  }

  /// Horizontal intensity H, nT.
  package var horizontalNanotesla: Double { Math.hypot(northNanotesla, eastNanotesla) }
  /// Total intensity F, nT; 22,000…67,000 on the ground.
  package var totalNanotesla: Double { Math.hypot(horizontalNanotesla, downNanotesla) }
  /// Declination D: the direction of magnetic north from true north, −180…180°, east positive.
  package var declination: Angle { Angle(radians: Math.atan2(eastNanotesla, northNanotesla)) }
  /// Inclination I: the field's angle below the horizon, −90…90°, down positive.
  package var inclination: Angle { Angle(radians: Math.atan2(downNanotesla, horizontalNanotesla)) }

  /// Standard deviation of the declination, from the model's own errors and the crust's field, which the model does not
  /// contain (The US/UK World Magnetic Model for 2025–2030, section 3.4: σ = √(0.26² + (5417 / H)²) degrees).
  package var declinationStandardDeviation: Angle {
    Angle(degrees: Math.hypot(0.26, 5417 / horizontalNanotesla))
  }

  /// How far a compass can be trusted here (the same report, section 1.6).
  package enum Zone: Hashable, Sendable {
    case usable
    /// H below 6,000 nT: a compass may be inaccurate.
    case caution
    /// H below 2,000 nT: a compass does not point north.
    case blackout
  }

  /// The zone of this place.
  package var zone: Zone {
    switch horizontalNanotesla {
    case ..<2000: .blackout
    case ..<6000: .caution
    default: .usable
    }
  }
}

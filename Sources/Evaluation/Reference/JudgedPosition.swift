package import Geodesy

/// An answer beside the truth.
package struct JudgedPosition: Hashable, Sendable {
  /// The time that the answer was about.
  package let time: GNSSTime
  /// How far off it was, metres, ≥ 0.
  package let errorMeters: Double
  /// The 68 % radius that it claimed, metres, > 0; `nil`: none.
  package let radius68Meters: Double?
  /// From that time to the answer, ≥ 0.
  package let latency: Duration

  package init(time: GNSSTime, errorMeters: Double, radius68Meters: Double?, latency: Duration = .zero) {
    self.time = time
    self.errorMeters = errorMeters
    self.radius68Meters = radius68Meters
    self.latency = latency
  }
}

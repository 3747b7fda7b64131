extension Tuning {
  /// Constants of the height of a stream that jumps. Nagoya, single points every second: rms 17.7 m as told, 3.2 m.
  package struct Height: Hashable, Sendable {
    /// Slope of roads, root mean square, and how long one lasts, seconds: 3 % and 10 s are 0.4 m/s in a town, and 4 m.
    package var slope = 0.03
    /// See `slope`.
    package var slopeTime = 10.0
    /// Faster than this is no steeper, m/s.
    package var greatestSpeed = 40.0
    /// Where no speed is told, m/s.
    package var assumedSpeed = 14.0
    /// Variance of a height that stays, m²/s: the satellites' errors wander.
    package var wandering = 0.02
    /// Degrees of freedom of the Student-t errors, as in the plane.
    package var freedom = 3.0
    /// Vertical radius where none is told, metres: 3.9 m × VDOP 1.7 (`AccuracyModel`).
    package var assumedRadius = 6.6
    /// Share of the filter's own variance in the radius, as in the plane.
    package var ownVarianceShare = 0.5
    /// Share of the told radius: errors that no average takes out. Nagoya: 93 % inside, 0.3 % beyond three times the radius.
    package var toldShare = 0.5

    package init() {}
  }
}

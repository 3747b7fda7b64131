import Geodesy

/// Rejects a velocity that changed more than anything on the ground can, and that the positions contradict.
///
/// A Doppler velocity has more weight in the track than a position. So a single wrong one (171 m/s while parked, from a wrong
/// satellite in a canyon) moves the track off by its own length each second.
struct VelocityGate {
  /// How to treat a velocity.
  enum Verdict {
    /// It is used.
    case believed
    /// It is not used.
    case refused
    /// It is used, and the previous one was wrong.
    case believedAgainstLast
  }

  /// Over a shorter time, in seconds, the noise of the positions hides the distance that a velocity covers.
  private static let shortestStretch = 1.0
  /// After this time, in seconds, the comparison with the positions starts again, so that a jump among them is not held against
  /// the velocities forever.
  private static let longestStretch = 5.0

  /// Consecutive velocities that were rejected.
  private struct Run {
    /// The last of them.
    var velocity: SIMD2<Double>
    /// How many similar ones in a row.
    var count: Int
    /// Position and time at the start of the stretch over which they are compared with the positions.
    var start: (place: SIMD2<Double>, seconds: Double)
    /// Their integral since then, meters from `start`.
    var way = SIMD2<Double>.zero
    /// Whether the positions contradicted them over the last stretch.
    var isContradicted = true
  }

  /// The last velocity that was used.
  private var last: (velocity: SIMD2<Double>, sigma: Double, seconds: Double)?
  private var lastPlace: (place: SIMD2<Double>, seconds: Double, sigma: Double)?
  private var refused: Run?

  /// Decides how to treat the velocity of the next measurement.
  mutating func judge(_ new: Measurement, _ tuning: Tuning) -> Verdict {
    defer { lastPlace = (new.place, new.seconds, new.sigma) }
    guard let velocity = new.velocity else { return .believed }
    guard let before = lastPlace else { return believe(velocity, new, .believed) }
    if let last, new.seconds - last.seconds >= tuning.velocityLifetime { self.last = nil }
    if let last {
      guard (velocity - last.velocity).length > limit(new, since: last, tuning) else {
        return believe(velocity, new, .believed)
      }
      let step = new.seconds - before.seconds
      let way = new.place - before.place
      let missWithNew = (way - (velocity + last.velocity) * (step / 2)).length
      let missWithLast = (way - last.velocity * step).length
      if missWithNew < missWithLast { return believe(velocity, new, .believedAgainstLast) }
    } else if refused == nil {
      return believe(velocity, new, .believed)
    }
    let run = extendedRun(by: velocity, of: new, from: before, tuning)
    // A repeated velocity is accepted, as a position is in `SpikeGate`, unless the positions move differently.
    guard run.count <= tuning.greatestHold || run.isContradicted else { return believe(velocity, new, .believed) }
    refused = run
    return .refused
  }

  /// The permitted difference from the last velocity, m/s.
  private func limit(
    _ new: Measurement, since last: (velocity: SIMD2<Double>, sigma: Double, seconds: Double), _ tuning: Tuning
  ) -> Double {
    tuning.greatestAcceleration * max(1, new.seconds - last.seconds)
      + tuning.velocitySigmas * (new.velocitySigma + last.sigma)
  }

  private func extendedRun(
    by velocity: SIMD2<Double>, of new: Measurement,
    from before: (place: SIMD2<Double>, seconds: Double, sigma: Double),
    _ tuning: Tuning
  ) -> Run {
    var run = refused ?? Run(velocity: velocity, count: 0, start: (before.place, before.seconds))
    let isRepeated =
      (velocity - run.velocity).length
      <= tuning.greatestAcceleration + 2 * tuning.velocitySigmas * new.velocitySigma
    run.count = isRepeated ? run.count + 1 : 1
    run.velocity = velocity
    run.way += velocity * (new.seconds - before.seconds)
    let seconds = new.seconds - run.start.seconds
    if seconds >= Self.shortestStretch {
      let possible = tuning.greatestAcceleration * seconds + tuning.velocitySigmas * (new.sigma + before.sigma)
      run.isContradicted = (new.place - run.start.place - run.way).length > possible
    }
    if seconds >= Self.longestStretch { (run.start, run.way) = ((new.place, new.seconds), .zero) }
    return run
  }

  private mutating func believe(_ velocity: SIMD2<Double>, _ new: Measurement, _ verdict: Verdict) -> Verdict {
    last = (velocity, new.velocitySigma, new.seconds)
    refused = nil
    return verdict
  }

  /// Speed of the last velocity that was used, m/s.
  var lastSpeed: Double? { last?.velocity.length }

  /// Converts the stored positions to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let place = lastPlace { lastPlace = (new.carry(place.place, from: old), place.seconds, place.sigma) }
    if let start = refused?.start { refused?.start = (new.carry(start.place, from: old), start.seconds) }
  }
}

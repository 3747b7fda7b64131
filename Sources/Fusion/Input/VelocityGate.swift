import Geodesy

/// Refuses a velocity that changed more than anything on the ground can and that the places contradict.
///
/// A Doppler velocity is worth more to the track than a place, so that a single wrong one (171 m/s while parked, from a wrong
/// satellite in a canyon) carries the track off by its own length each second.
struct VelocityGate {
  /// What is to be made of a velocity.
  enum Verdict {
    /// It is used.
    case believed
    /// It is not used.
    case refused
    /// It is used, and the one before was wrong.
    case believedAgainstLast
  }

  /// In a shorter time, in seconds, no velocity leads out of the noise of the places.
  private static let shortestStretch = 1.0
  /// After this time, in seconds, the places are compared anew, so that a jump among them is not held against the velocities forever.
  private static let longestStretch = 5.0

  /// Velocities in a row that were refused.
  private struct Run {
    /// The last of them.
    var velocity: SIMD2<Double>
    /// How many like it in a row.
    var count: Int
    /// Where and when the stretch began over which they are compared with the places.
    var start: (place: SIMD2<Double>, seconds: Double)
    /// Where they led since then, meters from `start`.
    var way = SIMD2<Double>.zero
    /// Whether the places contradicted them over the last stretch.
    var isContradicted = true
  }

  /// The last velocity that was used.
  private var last: (velocity: SIMD2<Double>, sigma: Double, seconds: Double)?
  private var lastPlace: (place: SIMD2<Double>, seconds: Double, sigma: Double)?
  private var refused: Run?

  /// Judges the velocity of the next measurement.
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
    // A velocity that is repeated is believed, as a place is in `SpikeGate`, unless the places go another way.
    guard run.count <= tuning.greatestHold || run.isContradicted else { return believe(velocity, new, .believed) }
    refused = run
    return .refused
  }

  /// By how much a velocity may differ from the last one, m/s.
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

  /// Moves what is remembered to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let place = lastPlace { lastPlace = (new.carry(place.place, from: old), place.seconds, place.sigma) }
    if let start = refused?.start { refused?.start = (new.carry(start.place, from: old), start.seconds) }
  }
}

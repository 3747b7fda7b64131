import Geodesy

/// Holds back a position that is far from the track's prediction until it is confirmed: in a stream that is otherwise reliable,
/// such a position is usually a spike.
///
/// Either of two things confirms it. The next position agrees with it: two that agree outweigh a track that contradicts both.
/// Or it returns to `reference`, the slow track, from which the last positions had moved away against their own velocities.
struct SpikeGate {
  /// A position that is held back.
  struct Held {
    /// The track's prediction.
    var place: SIMD2<Double>
    /// Distance of the reported position from the prediction, meters.
    var distance: Double
    /// How long the track has been extrapolated, seconds.
    var seconds: Double
  }

  /// The last position that was passed on, or the prediction that replaced one.
  private var anchor: (place: SIMD2<Double>, seconds: Double, velocity: SIMD2<Double>?, sigma: Double)?
  /// Velocity of the last step between two positions, if none is reported.
  private var pace: SIMD2<Double>?
  /// The last position that was held back, and the velocity reported with it.
  private var doubted: (place: SIMD2<Double>, velocity: SIMD2<Double>?)?
  /// The slow track: the reported velocities, integrated and pulled slowly toward the positions. `nil` if no velocities are
  /// reported.
  private var reference: SIMD2<Double>?
  private var held = 0
  private var heldSince = 0.0

  /// Handles the next position; `nil`: it may be passed on.
  mutating func hold(_ new: Measurement, _ tuning: Tuning) -> Held? {
    guard let last = anchor, let velocity = last.velocity else {
      pass(new, tuning)
      return nil
    }
    let dt = new.seconds - last.seconds
    let mean = if held == 0, let reported = new.velocity { (velocity + reported) * 0.5 } else { velocity }
    let expected = last.place + mean * dt
    let distance = (new.place - expected).length
    let spread = max(1, dt * dt.squareRoot())
    let limit = (tuning.leastSpike + tuning.spikeSigmas * min(last.sigma, tuning.greatestSpikeSigma)) * spread
    guard distance > limit * (1 + 0.5 * Double(held)), held < tuning.greatestHold,
      new.sigma > tuning.certainShare * last.sigma,
      !isConfirmed(new, velocity: velocity, dt: dt, within: limit, tuning),
      !isReturn(new, expected: expected, dt: dt, within: limit)
    else {
      pass(new, tuning)
      return nil
    }
    if held == 0 { heldSince = last.seconds }
    held += 1
    doubted = (new.place, new.velocity)
    if let reference { self.reference = reference + (new.velocity ?? velocity) * dt }
    anchor = (expected, new.seconds, velocity, last.sigma)
    return Held(place: expected, distance: distance, seconds: new.seconds - heldSince)
  }

  /// Whether the previous position was held back, and this one lies where that one and its velocity lead.
  private func isConfirmed(
    _ new: Measurement, velocity: SIMD2<Double>, dt: Double, within limit: Double, _ tuning: Tuning
  ) -> Bool {
    guard let doubted else { return false }
    let mean = ((doubted.velocity ?? velocity) + (new.velocity ?? velocity)) * 0.5
    // If no velocity is reported, the last one may be that of the excursion.
    let share = new.velocity == nil ? 1 : tuning.repeatShare
    return (new.place - doubted.place - mean * dt).length <= share * limit
  }

  /// Whether the position agrees with the slow track, while the prediction from the last positions does not.
  private func isReturn(_ new: Measurement, expected: SIMD2<Double>, dt: Double, within limit: Double) -> Bool {
    guard let reference, let velocity = new.velocity else { return false }
    let there = reference + velocity * dt
    let miss = (new.place - there).length
    return miss <= limit && miss < 0.5 * (expected - there).length
  }

  private mutating func pass(_ new: Measurement, _ tuning: Tuning) {
    follow(new, tuning)
    var velocity = new.velocity
    if velocity == nil, held == 0, let last = anchor {
      let dt = new.seconds - last.seconds
      let pace = (new.place - last.place) * (1 / dt)
      // One step does not determine a velocity because either end of it may be a spike; two steps that agree do.
      let isLikely = self.pace.map { (pace - $0).length <= tuning.greatestAcceleration * max(1, dt) } ?? false
      velocity = isLikely ? pace : nil
      self.pace = pace
    } else {
      pace = nil
    }
    held = 0
    doubted = nil
    anchor = (new.place, new.seconds, velocity, new.sigma)
  }

  /// Advances the slow track.
  private mutating func follow(_ new: Measurement, _ tuning: Tuning) {
    guard let velocity = new.velocity ?? anchor?.velocity else {
      reference = nil
      return
    }
    guard let last = anchor, let old = reference, new.seconds - last.seconds <= tuning.referenceTime / 2 else {
      reference = new.place
      return
    }
    let dt = new.seconds - last.seconds
    let there = old + ((last.velocity ?? velocity) + velocity) * (dt / 2)
    reference = there + (new.place - there) * min(1, dt / tuning.referenceTime)
  }

  /// Replaces the velocity of the last position, which was wrong, by `velocity`.
  mutating func correctLastVelocity(_ velocity: SIMD2<Double>?) {
    if anchor?.velocity != nil { anchor?.velocity = velocity }
  }

  /// Converts the stored positions to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let last = anchor { anchor = (new.carry(last.place, from: old), last.seconds, last.velocity, last.sigma) }
    if let last = doubted { doubted = (new.carry(last.place, from: old), last.velocity) }
    if let last = reference { reference = new.carry(last, from: old) }
  }
}

/// Holds back a place that is far from where the track went on, until it is told again: of a stream that is otherwise to be
/// believed such a place is mostly a spike. One that stays is believed after some epochs.
struct SpikeGate {
  /// A place that is held back.
  struct Held {
    /// Where the track went on instead.
    var place: SIMD2<Double>
    /// How far the told place lies from there, metres.
    var distance: Double
    /// How long the track has gone on by itself, seconds.
    var seconds: Double
  }

  /// The last place that was told on, or stood in for one.
  private var anchor: (place: SIMD2<Double>, seconds: Double, velocity: SIMD2<Double>?, sigma: Double)?
  /// Velocity of the last step between two places, where none is told.
  private var pace: SIMD2<Double>?
  private var held = 0
  private var heldSince = 0.0

  /// Takes the next place; `nil`: it may be told.
  mutating func hold(_ new: Measurement, _ tuning: Tuning) -> Held? {
    guard let last = anchor, let velocity = last.velocity else {
      pass(new, tuning)
      return nil
    }
    let dt = new.seconds - last.seconds
    let mean = if held == 0, let told = new.velocity { (velocity + told) * 0.5 } else { velocity }
    let expected = last.place + mean * dt
    let distance = (new.place - expected).length
    let limit =
      (tuning.leastSpike + tuning.spikeSigmas * min(last.sigma, tuning.greatestSpikeSigma))
      * max(1, dt * dt.squareRoot()) * (1 + 0.5 * Double(held))
    guard distance > limit, held < tuning.greatestHold else {
      pass(new, tuning)
      return nil
    }
    if held == 0 { heldSince = last.seconds }
    held += 1
    anchor = (expected, new.seconds, velocity, last.sigma)
    return Held(place: expected, distance: distance, seconds: new.seconds - heldSince)
  }

  private mutating func pass(_ new: Measurement, _ tuning: Tuning) {
    var velocity = new.velocity
    if velocity == nil, held == 0, let last = anchor {
      let dt = new.seconds - last.seconds
      let pace = (new.place - last.place) * (1 / dt)
      // One step makes no velocity, as either end of it may be a spike: two that agree do.
      let isLikely = self.pace.map { (pace - $0).length <= tuning.greatestAcceleration * max(1, dt) } ?? false
      velocity = isLikely ? pace : nil
      self.pace = pace
    } else {
      pace = nil
    }
    held = 0
    anchor = (new.place, new.seconds, velocity, new.sigma)
  }

  /// Moves what is remembered to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let last = anchor { anchor = (new.carry(last.place, from: old), last.seconds, last.velocity, last.sigma) }
  }
}

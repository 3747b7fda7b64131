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

  /// The last velocity that was used.
  private var last: (velocity: SIMD2<Double>, sigma: Double, seconds: Double)?
  private var lastPlace: (place: SIMD2<Double>, seconds: Double)?
  /// The last velocity that was refused, and how many like it in a row.
  private var refused: (velocity: SIMD2<Double>, count: Int)?

  /// Judges the velocity of the next measurement.
  mutating func judge(_ new: Measurement, _ tuning: Tuning) -> Verdict {
    defer { lastPlace = (new.place, new.seconds) }
    guard let velocity = new.velocity else { return .believed }
    guard let last, let before = lastPlace, new.seconds - last.seconds < tuning.velocityLifetime else {
      return believe(velocity, new, .believed)
    }
    let dt = new.seconds - last.seconds
    let limit =
      tuning.greatestAcceleration * max(1, dt) + tuning.velocitySigmas * (new.velocitySigma + last.sigma)
    guard (velocity - last.velocity).length > limit else { return believe(velocity, new, .believed) }
    let step = new.seconds - before.seconds
    let way = new.place - before.place
    let missWithNew = (way - (velocity + last.velocity) * (step / 2)).length
    let missWithLast = (way - last.velocity * step).length
    if missWithNew < missWithLast { return believe(velocity, new, .believedAgainstLast) }
    let isRepeated = refused.map { (velocity - $0.velocity).length <= limit } ?? false
    let count = isRepeated ? (refused?.count ?? 0) + 1 : 1
    // Who says the same again and again is believed, as in `SpikeGate`.
    guard count <= tuning.greatestHold else { return believe(velocity, new, .believed) }
    refused = (velocity, count)
    return .refused
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
    if let lastPlace { self.lastPlace = (new.carry(lastPlace.place, from: old), lastPlace.seconds) }
  }
}

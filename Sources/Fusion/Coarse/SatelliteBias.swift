import Geodesy

/// Estimates the offset of the satellites' position from coarse positions (Wi-Fi). They are the only evidence if a
/// receiver filters its positions, because a filter's output is as smooth in a street canyon as under an open sky.
///
/// One coarse position proves nothing: its access points may have moved. So the evidence of several is added up, each
/// as the logarithm of a likelihood ratio: that the satellites are off by `Tuning.Coarse.canyon` against that they are
/// as good as they report (Page, "Continuous inspection schemes", Biometrika 41, 1954: the sum restarts at zero).
/// Coarse positions of one street share their error and count together as one. Beyond `threshold`, and while
/// consecutive coarse positions agree on the side to which the satellites are off, the offset is estimated by a Kalman
/// filter of the offset alone, and removed. An offset that lasts for minutes is not removed.
struct SatelliteBias {
  /// A coarse position and the satellites' position at the same time.
  private struct Evidence {
    var place: SIMD2<Double>
    /// The satellites' position.
    var satellites: SIMD2<Double>
    /// The satellites' position minus the coarse one.
    var offset: SIMD2<Double>
    var seconds: Double
  }

  /// The sum of the logarithms, ≥ 0.
  private var evidence = 0.0
  private var last: Evidence?
  /// The usual offset: an offset that is the same for minutes is an error of the access points' positions, not of satellites.
  private var usual = SIMD2<Double>.zero
  /// Estimated offset, its variance per axis in m², and the time of both.
  private var bias: (offset: SIMD2<Double>, variance: Double, seconds: Double)?
  /// The satellites' previous estimate: the residual of a step is a change of the offset.
  private var newest: (place: SIMD2<Double>, velocity: SIMD2<Double>?, seconds: Double)?

  /// Whether an offset is removed.
  var isActive: Bool { bias != nil }

  /// Handles a coarse position and the satellites' position at the same time, each with its radius in meters.
  mutating func add(
    _ coarse: LastCoarsePosition, satellites: (place: SIMD2<Double>, radius: Double), _ tuning: Tuning.Coarse
  ) {
    let offset = satellites.place - coarse.place
    let distance = offset.squaredLength
    guard distance < tuning.greatestDistance * tuning.greatestDistance else { return }
    if let last, coarse.seconds - last.seconds > tuning.lifetime { forget() }
    // The distance traveled is the smaller of two, so that neither a wandering satellite position nor a coarse one at
    // another place counts as new evidence.
    let way = last.map { min((coarse.place - $0.place).length, (satellites.place - $0.satellites).length) }
    let share = min(1, (way ?? .infinity) / tuning.errorLength)
    let own = Self.variance(coarse.radius)
    let calm = own + Self.variance(satellites.radius)
    let off = own + tuning.canyon * tuning.canyon
    learn(offset, at: coarse.seconds, tuning)
    // Both the offset and its difference from the usual offset must be unlikely.
    let unusual = min(distance, (offset - usual).squaredLength)
    let logarithm = unusual / 2 * (1 / calm - 1 / off) - Math.log(off / calm)
    evidence = min(tuning.greatestEvidence, max(0, evidence + share * min(logarithm, tuning.greatestStep)))
    // Two offsets that point to different sides contradict each other.
    let agrees = last.map { (offset * $0.offset).sum() > 0 } ?? false
    last = Evidence(
      place: coarse.place, satellites: satellites.place, offset: offset, seconds: coarse.seconds)
    guard evidence > 0, bias != nil || (evidence >= tuning.threshold && agrees) else {
      if evidence == 0 { bias = nil }
      return
    }
    let predicted = variance(at: coarse.seconds, tuning)
    let gain = predicted / (predicted + own)
    let before = bias?.offset ?? .zero
    bias = (before + (offset - before) * gain, predicted * (1 - gain), coarse.seconds)
  }

  /// The correction to add to the satellites' position, and its variance per axis in m²; `nil` if there is none.
  mutating func correction(
    of place: SIMD2<Double>, velocity: SIMD2<Double>?, seconds: Double, _ tuning: Tuning.Coarse
  ) -> (shift: SIMD2<Double>, variance: Double)? {
    defer { newest = (place, velocity, seconds) }
    guard let bias else { return nil }
    guard let last, seconds - last.seconds <= tuning.lifetime else {
      forget()
      return nil
    }
    if let newest, let velocity, let lastVelocity = newest.velocity {
      let residual = place - newest.place - (velocity + lastVelocity) * ((seconds - newest.seconds) / 2)
      self.bias?.offset = bias.offset + residual
    }
    guard let offset = self.bias?.offset else { return nil }
    return (-offset, variance(at: seconds, tuning))
  }

  /// Updates the usual offset; the first offset counts as usual.
  private mutating func learn(_ offset: SIMD2<Double>, at seconds: Double, _ tuning: Tuning.Coarse) {
    guard let last else {
      usual = offset
      return
    }
    usual += (offset - usual) * min(1, (seconds - last.seconds) / tuning.usualTime)
  }

  private func variance(at seconds: Double, _ tuning: Tuning.Coarse) -> Double {
    let most = tuning.canyon * tuning.canyon
    guard let bias else { return most }
    return min(most, bias.variance + most * max(0, seconds - bias.seconds) / tuning.canyonTime)
  }

  private static func variance(_ radius68: Double) -> Double {
    let sigma = radius68 / RadiusModel.sigmasOfRadius68
    return sigma * sigma
  }

  private mutating func forget() {
    evidence = 0
    last = nil
    bias = nil
  }

  /// Converts the stored positions to another frame; offsets stay the same.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    if let last {
      self.last?.place = new.carry(last.place, from: old)
      self.last?.satellites = new.carry(last.satellites, from: old)
    }
    if let newest { self.newest?.place = new.carry(newest.place, from: old) }
  }
}

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
///
/// A receiver that drifts off may also contradict itself: its positions move against its velocities, which come from the
/// Doppler shift and hardly suffer from reflections. Either the positions before this drift were wrong or those after it, and
/// one coarse position that agrees with the drift decides.
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
  /// The estimated offset.
  private struct Bias {
    /// Meters.
    var offset: SIMD2<Double>
    /// Variance per axis, m².
    var variance: Double
    /// Time of both.
    var seconds: Double
    /// Growth of the variance, m²/s.
    var growth: Double
    /// Whether the velocities show the offset.
    var isOfDrift = false
  }

  private var bias: Bias?
  /// The satellites' previous estimate: the residual of a step is a change of the offset.
  private var newest: (place: SIMD2<Double>, velocity: SIMD2<Double>?, seconds: Double)?
  /// How far the satellites' positions have moved against their velocities, meters: the sum of the residuals, which fades.
  private var drift = SIMD2<Double>.zero

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
    if bias == nil, !isBack(tuning), driftEvidence(offset, own: own, calm: calm, tuning) >= tuning.driftThreshold {
      evidence = max(evidence, tuning.threshold)
      // What the offset becomes is measured by the velocities from now on.
      let growth = tuning.driftSigma * tuning.driftSigma / tuning.canyonTime
      bias = Bias(
        offset: drift, variance: driftVariance(tuning), seconds: coarse.seconds, growth: growth, isOfDrift: true)
    }
    guard evidence > 0, bias != nil || (evidence >= tuning.threshold && agrees) else {
      if evidence == 0 { bias = nil }
      return
    }
    let most = tuning.canyon * tuning.canyon
    var new = bias ?? Bias(offset: .zero, variance: most, seconds: coarse.seconds, growth: most / tuning.canyonTime)
    let predicted = variance(of: new, at: coarse.seconds, tuning)
    // If the velocities show the offset, a coarse position that contradicts it is of another place.
    let isPossible = (offset - new.offset).squaredLength < tuning.greatestMiss * (predicted + own)
    guard isPossible || !new.isOfDrift else { return }
    let gain = predicted / (predicted + own)
    new.offset += (offset - new.offset) * gain
    (new.variance, new.seconds) = (predicted * (1 - gain), coarse.seconds)
    bias = new
  }

  /// The correction to add to the satellites' position, and its variance per axis in m²; `nil` if there is none.
  mutating func correction(
    of place: SIMD2<Double>, velocity: SIMD2<Double>?, seconds: Double, isOfTrack: Bool, _ tuning: Tuning.Coarse
  ) -> (shift: SIMD2<Double>, variance: Double)? {
    follow(place, velocity, seconds: seconds, isOfTrack: isOfTrack, tuning)
    guard let bias else { return nil }
    guard let last, seconds - last.seconds <= tuning.lifetime else {
      forget()
      return nil
    }
    return (-bias.offset, variance(of: bias, at: seconds, tuning))
  }

  /// Adds the residual of the step from the satellites' previous estimate to the drift and to the offset.
  private mutating func follow(
    _ place: SIMD2<Double>, _ velocity: SIMD2<Double>?, seconds: Double, isOfTrack: Bool, _ tuning: Tuning.Coarse
  ) {
    defer { newest = (place, velocity, seconds) }
    guard let newest, let velocity, let lastVelocity = newest.velocity else {
      drift = .zero
      return
    }
    let dt = seconds - newest.seconds
    let residual = place - newest.place - (velocity + lastVelocity) * (dt / 2)
    if var new = bias {
      new.offset += residual
      drift += residual
      bias = new
      if new.isOfDrift, isBack(tuning) {
        bias = nil
        evidence = 0
      }
      return
    }
    // A track follows its velocities, and moves against them where it corrects itself. During a gap the motion may have changed too
    // much.
    let isKnown = !isOfTrack && dt <= tuning.greatestExtrapolation
    drift = isKnown ? drift * max(0, 1 - dt / tuning.usualTime) + residual : .zero
  }

  /// Whether the satellites' positions are where their velocities lead, as far as the velocities' errors show.
  private func isBack(_ tuning: Tuning.Coarse) -> Bool {
    drift.squaredLength < tuning.greatestMiss * tuning.driftSigma * tuning.driftSigma
  }

  /// Variance of the drift per axis, m²: of the velocities' errors over minutes, and of a share of the drift, because reflections
  /// disturb velocities, too.
  private func driftVariance(_ tuning: Tuning.Coarse) -> Double {
    tuning.driftSigma * tuning.driftSigma + tuning.driftShare * tuning.driftShare * drift.squaredLength
  }

  /// The logarithm of the likelihood ratio of an offset: that the satellites are off by the drift against that they are as good as
  /// they report, or that the coarse position is of another place.
  private func driftEvidence(_ offset: SIMD2<Double>, own: Double, calm: Double, _ tuning: Tuning.Coarse) -> Double {
    func logarithm(_ miss: SIMD2<Double>, _ variance: Double) -> Double {
      -miss.squaredLength / (2 * variance) - Math.log(variance)
    }
    let moved = logarithm(offset, tuning.movedMeters * tuning.movedMeters) + Math.log(tuning.movedShare)
    return logarithm(offset - drift, own + driftVariance(tuning)) - max(logarithm(offset, calm), moved)
  }

  /// Updates the usual offset; the first offset counts as usual.
  private mutating func learn(_ offset: SIMD2<Double>, at seconds: Double, _ tuning: Tuning.Coarse) {
    guard let last else {
      usual = offset
      return
    }
    usual += (offset - usual) * min(1, (seconds - last.seconds) / tuning.usualTime)
  }

  private func variance(of bias: Bias, at seconds: Double, _ tuning: Tuning.Coarse) -> Double {
    min(tuning.canyon * tuning.canyon, bias.variance + bias.growth * max(0, seconds - bias.seconds))
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

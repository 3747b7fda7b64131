package import Geodesy

/// Computes one estimate from all received positions.
///
/// A stream that its receiver has filtered is passed through, except for spikes. A stream that jumps is replaced by the track
/// that most of its last positions and velocities agree on. `FilteredInputDetector` detects from the stream itself which of the two it is.
/// Coarse positions (Wi-Fi, cells) are used when there are no satellite fixes. They also bound satellite fixes far off them if
/// the stream jumps or has just begun; they never pull a good track.
///
/// All satellite fixes must come from one receiver; another receiver needs another estimator.
package struct Estimator: Sendable {
  /// The estimate for the last satellite fix.
  struct Answer {
    var fix: PositionFix
    /// On the estimator's time axis.
    var seconds: Double
    /// Position and velocity in the frame, by the satellites alone.
    var state: StateEstimate
    /// 68 % radius of `state`, meters.
    var radius: Double
    /// The correction from coarse positions, to be added to the position in `state`, meters.
    var shift: SIMD2<Double>
  }

  let tuning: Tuning
  private(set) var sequence = Sequence()
  private(set) var frame: TangentFrame?
  private(set) var filterDetector = FilteredInputDetector()
  private var velocityGate = VelocityGate()
  private var gate = SpikeGate()
  private(set) var window = Window()
  /// The estimates that wait to be improved by later fixes; `nil`: lagged estimates are not requested.
  private var delay: FixedLagBuffer?
  private var heights = HeightTrack()
  var coarse: LastCoarsePosition?
  var bias = SatelliteBias()
  private(set) var last: Answer?
  /// Whether the speed at the last node was below that of standstill.
  private var wasSlow = false
  /// Consecutive positions that no track can reach.
  private var far = 0
  /// Satellite fixes since the start, counted up to the number that matters.
  private var seen = 0

  /// Why the last unused position was rejected.
  package private(set) var lastRefusal: RejectionReason?
  /// Whether the stream is treated as not filtered by its receiver.
  package var isFiltering: Bool { filterDetector.isUnfiltered }

  /// An estimator without any input yet.
  ///
  /// - Parameter answersLater: whether `Estimate.lagged` is requested, which doubles the cost of each fix.
  package init(answersLater: Bool = true) { self.init(tuning: .standard, answersLater: answersLater) }

  /// An estimator with another tuning.
  package init(tuning: Tuning, answersLater: Bool = true) {
    self.tuning = tuning
    if answersLater { delay = FixedLagBuffer() }
  }

  /// Handles the next position; `nil` if it is not used, which `lastRefusal` explains.
  package mutating func handle(_ fix: PositionFix, at now: Instant) -> Estimate? {
    do throws(RejectionReason) {
      var fix = fix
      try fix.check()
      guard fix.technologies.contains(.gnss) else { return handleCoarse(fix, at: now) }
      let seconds = try sequence.place(fix.time, at: now, tuning)
      // A suspect fix is passed through as suspect, and is not used as evidence.
      guard fix.qualityFlag == nil else { return Estimate(causal: fix, basis: .asReported, lagged: nil) }
      let (basis, lagged) = handle(&fix, seconds: seconds)
      return Estimate(causal: fix, basis: basis, lagged: lagged)
    } catch {
      lastRefusal = error
      return nil
    }
  }

  /// Replaces the fix by its estimate, in place: copying a fix costs as much as a step of the filter.
  private mutating func handle(
    _ fix: inout PositionFix, seconds: Double
  ) -> (basis: Estimate.Basis, lagged: PositionFix?) {
    // A local copy: in a call that also modifies another member, the property would be copied each time.
    let tuning = tuning
    let radius = fix.horizontalRadiusBasis == .assumed ? assumedRadius : fix.horizontalRadius68.value
    let axes = LocalAxes(at: fix.coordinate)
    let frame = frame(around: fix.coordinate, axes)
    var new = Measurement(fix, axes, radius: radius, seconds: seconds, in: frame, tuning)
    judgeVelocity(of: &new, &fix)
    let height = heights.update(fix, seconds: seconds, tuning.height)
    filterDetector.add(new, tuning)
    let held = gate.hold(new, tuning)
    // A held-back position must not count as evidence against the track that it would spoil.
    if let held, !filterDetector.isUnfiltered { new.sigma = max(new.sigma, held.distance) }
    seen = min(seen + 1, tuning.greatestHold + 1)
    if filterDetector.isUnfiltered || seen <= tuning.greatestHold { coarse?.bound(&new, tuning) }
    let isNode = window.count == 0 || seconds - window.newestSeconds >= tuning.nodeSpacing
    if isNode { add(new) }
    let basis: Estimate.Basis
    var state: StateEstimate
    if filterDetector.isUnfiltered {
      if isNode { window.solve(tuning) }
      basis = .track
      state = window.state(at: seconds, noise: tuning.noise) ?? window.newest
      set(&fix, to: state, radius: radius, hasVelocity: new.velocity != nil, in: frame)
      height?.write(to: &fix)
    } else {
      basis = held == nil ? .asReported : .heldBack
      state = window.state(at: seconds, noise: tuning.noise) ?? window.newest
      state.place = held?.place ?? new.place
      fix.horizontalRadius68 = Meters(RadiusModel.asReported(fix, noise: filterDetector.noise, tuning.radius))
      if let held { hold(&fix, held, speed: new.speed ?? 0, in: frame) }
      Heading.complete(&fix, new, state, in: frame, tuning)
      if let velocity = new.velocity { state.velocity = velocity }
    }
    if isNode { window.answer(state.place) }
    let correction = bias.correction(
      of: state.place, velocity: new.velocity, seconds: seconds, isOfTrack: basis == .track, tuning.coarse)
    let own = fix.horizontalRadius68.value
    if let correction { shift(&fix, by: correction, from: state.place, in: frame) }
    last = Answer(fix: fix, seconds: seconds, state: state, radius: own, shift: correction?.shift ?? .zero)
    guard delay != nil else { return (basis, nil) }
    let due = delay?.push(
      FixedLagBuffer.Entry(
        fix: fix, seconds: seconds, radius: radius, hasVelocity: new.velocity != nil, isOfTrack: basis == .track,
        correction: correction),
      lag: tuning.lag)
    guard let due else { return (basis, nil) }
    return (basis, lagged(due, in: frame))
  }

  /// The radius of a position whose receiver reports neither an accuracy nor a dilution. The noise of a stream that
  /// jumps can raise it.
  private var assumedRadius: Double {
    guard filterDetector.isUnfiltered else { return tuning.assumedTrackRadius }
    return max(tuning.assumedTrackRadius, tuning.assumedTrackNoiseShare * filterDetector.noise.meters(tuning.radius))
  }

  /// Removes a velocity that is wrong, so that nothing is derived from it.
  private mutating func judgeVelocity(of new: inout Measurement, _ fix: inout PositionFix) {
    switch velocityGate.judge(new, tuning) {
    case .believed: break
    case .refused:
      new.velocity = nil
      new.speed = velocityGate.lastSpeed
      (fix.speedMetersPerSecond, fix.speedRadius68MetersPerSecond) = (nil, nil)
      (fix.course, fix.courseRadius68) = (nil, nil)
    case .believedAgainstLast:
      filterDetector.forgetLastVelocity()
      gate.correctLastVelocity(new.velocity)
      window.forgetNewestVelocity()
    }
  }

  /// The frame; replaced if the position is far from its origin.
  ///
  /// - Parameter axes: the axes at the position.
  mutating func frame(around place: Coordinate, _ axes: LocalAxes) -> TangentFrame {
    let new: TangentFrame
    if let old = frame {
      let distance = old.distance(to: axes)
      if distance < tuning.greatestOffset {
        far = 0
        return old
      }
      new = TangentFrame(origin: place, axes)
      if distance < tuning.greatestJump {
        move(from: old, to: new)
      } else {
        // A spike of any size is held back before it is accepted.
        far += 1
        guard far > tuning.greatestHold else { return old }
        forget()
      }
      far = 0
    } else {
      new = TangentFrame(origin: place, axes)
    }
    frame = new
    return new
  }

  private mutating func move(from old: TangentFrame, to new: TangentFrame) {
    window.move(from: old, to: new)
    filterDetector.move(from: old, to: new)
    velocityGate.move(from: old, to: new)
    gate.move(from: old, to: new)
    bias.move(from: old, to: new)
    if var coarse {
      coarse.place = new.carry(coarse.place, from: old)
      self.coarse = coarse
    }
    if var last {
      last.state.place = new.carry(last.state.place, from: old)
      last.state.velocity = new.carry(velocity: last.state.velocity, from: old)
      self.last = last
    }
  }

  /// Discards everything in the frame, because no track leads to the new position.
  private mutating func forget() {
    window.removeAll()
    filterDetector.interrupt()
    velocityGate = VelocityGate()
    gate = SpikeGate()
    heights = HeightTrack()
    coarse = nil
    bias = SatelliteBias()
    last = nil
    seen = 0
  }

  /// Makes a measurement the newest node of the window.
  private mutating func add(_ new: Measurement) {
    let isSlow = new.speed.map { $0 < tuning.standingSpeed } ?? false
    let isStanding = isSlow && wasSlow
    wasSlow = isSlow
    let step = window.count > 0 ? new.seconds - window.newestSeconds : 0
    var node = Keyframe()
    node.seconds = new.seconds
    node.step = step
    node.noise = isStanding ? tuning.standingNoise : tuning.noise
    node.place = new.place
    node.placeVariance = new.sigma * new.sigma
    node.isCertain = new.isCertain
    if let velocity = new.velocity {
      node.velocity = velocity
      node.velocityVariance = new.velocitySigma * new.velocitySigma
    }
    // Reflections change with the distance traveled, and slowly with the satellites' own motion.
    let way = isStanding ? 0 : (new.speed ?? .infinity) * max(tuning.nodeSpacing, step)
    let novelty = max(tuning.nodeSpacing, step) / tuning.errorTime + way / tuning.errorLength
    node.novelty = new.isCertain ? 1 : min(1, novelty)
    window.append(node, tuning)
    // A stream that its receiver has filtered is passed on: its track is needed only for the velocity, and must not stick.
    if filterDetector.isUnfiltered, new.velocity == nil, new.speed == nil { window.findStandstill(tuning) }
  }

  /// Sets the position and velocity of a fix from the track instead of its own values.
  private mutating func set(
    _ fix: inout PositionFix, to state: StateEstimate, radius: Double, hasVelocity: Bool, in frame: TangentFrame
  ) {
    fix.coordinate = frame.coordinate(at: state.place)
    let isStanding = !hasVelocity && window.isStanding
    let isReported = fix.horizontalRadiusBasis == .accuracy
    // If no accuracy is reported, the noise below includes the error that lasts.
    var own = RadiusModel.ofTrack(
      state, window.scatter(), reported: radius, hasVelocity: hasVelocity, isStanding: isStanding && isReported,
      tuning.radius)
    if !isReported {
      let share = isStanding ? tuning.radius.standstillNoiseShare : tuning.radius.trackNoiseShare
      own = RadiusModel.withNoise(own, of: fix, share: share, noise: filterDetector.noise, tuning.radius)
    }
    // An unknown datum shifts all positions by the same offset, which averaging does not reduce.
    if fix.horizontalRadiusBasis == .datum { own = max(own, fix.horizontalRadius68.value) }
    fix.horizontalRadius68 = Meters(own)
    let speedRadius = RadiusModel.speedOfTrack(state, hasVelocity: hasVelocity, tuning.radius)
    Heading.set(state.velocity, radius68: speedRadius, in: frame, of: &fix)
  }

  /// Sets the position to the track's prediction; the held-back position may still be right.
  private func hold(_ fix: inout PositionFix, _ held: SpikeGate.Held, speed: Double, in frame: TangentFrame) {
    fix.coordinate = frame.coordinate(at: held.place)
    let before = last?.fix.horizontalRadius68.value ?? fix.horizontalRadius68.value
    let coasted = RadiusModel.coasted(before, seconds: held.seconds, speed: speed, tuning.radius)
    fix.horizontalRadius68 = Meters(max(coasted, tuning.radius.held * held.distance))
  }

  /// Moves a fix by an offset that coarse positions show.
  private func shift(
    _ fix: inout PositionFix, by correction: (shift: SIMD2<Double>, variance: Double), from place: SIMD2<Double>,
    in frame: TangentFrame
  ) {
    fix.coordinate = frame.coordinate(at: place + correction.shift)
    let radius = RadiusModel.sigmasOfRadius68 * correction.variance.squareRoot()
    fix.horizontalRadius68 = Meters(max(fix.horizontalRadius68.value, radius))
  }

  private mutating func lagged(_ entry: FixedLagBuffer.Entry, in frame: TangentFrame) -> PositionFix {
    guard filterDetector.isUnfiltered || entry.isOfTrack,
      let state = window.state(at: entry.seconds, noise: tuning.noise)
    else { return entry.fix }
    var answer = entry.fix
    set(&answer, to: state, radius: entry.radius, hasVelocity: entry.hasVelocity, in: frame)
    if let correction = entry.correction { shift(&answer, by: correction, from: state.place, in: frame) }
    return answer
  }
}

extension Estimator {
  /// The estimate at `now`, between and after positions: the track is extrapolated with a fading speed, and its radius grows.
  /// `nil` before the first satellite fix. The call changes no state.
  ///
  /// Its `receivedAt` stays that of the last fix, so that its age is still known; the caller must not grow the radius again.
  package func estimate(at now: Instant) -> PositionFix? {
    guard let last, let frame else { return nil }
    let seconds = sequence.seconds(at: now) - last.seconds
    guard seconds > 0 else { return last.fix }
    let speed = last.state.velocity.length
    let way = speed > 0 ? RadiusModel.way(at: speed, seconds: seconds, tuning.radius) / speed : 0
    var fix = last.fix
    fix.coordinate = frame.coordinate(at: last.state.place + last.shift + last.state.velocity * way)
    fix.horizontalRadius68 = Meters(
      RadiusModel.coasted(
        last.fix.horizontalRadius68.value, seconds: seconds, speed: speed, tuning.radius))
    fix.time = last.fix.time + .nanoseconds(Int64(min(seconds, 1e9) * 1e9))
    return fix
  }
}

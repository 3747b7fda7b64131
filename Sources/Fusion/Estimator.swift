package import Geodesy

/// One estimate of all positions that come in.
///
/// A stream that its receiver has filtered is told on as it is, but for spikes. One that jumps is replaced by the track that
/// most of its last positions and velocities agree on. Which of both it is, `InputJudge` tells from the stream itself.
/// Coarse positions (Wi-Fi, cells) stand in where there are no satellites, and mark satellite fixes far off them as wrong
/// where the stream jumps; a good track they never pull.
package struct Estimator: Sendable {
  let tuning: Tuning
  var sequence = Sequence()
  var frame: TangentFrame?
  var judge = InputJudge()
  private var gate = SpikeGate()
  var window = Window()
  private var delay = Delay()
  var coarse: CoarsePlace?
  /// The last answer to a satellite fix, and what is believed then.
  var last: Answer?
  /// Whether the last satellite fix stood still.
  private var wasSlow = false
  /// Satellite fixes in a row since the start or since a coarse position was all there was.
  private var streak = 0

  /// What was answered last.
  struct Answer {
    var fix: PositionFix
    var seconds: Double
    var belief: Belief
  }

  /// Why the last position that was not used was not.
  package private(set) var lastRefusal: Refusal?
  /// Whether the stream is taken for one that no receiver has filtered.
  package var isFiltering: Bool { judge.isUnfiltered }

  /// An estimator that knows nothing yet.
  package init() { self.init(tuning: .standard) }

  init(tuning: Tuning) { self.tuning = tuning }

  /// Takes the next position; `nil` where it is not used, which `lastRefusal` explains.
  ///
  /// - Parameter isRadiusTold: `false` where nothing stands behind the fix's radius, as nothing was said of its accuracy.
  package mutating func handle(_ fix: PositionFix, at now: Instant, isRadiusTold: Bool = true) -> Estimate? {
    do throws(Refusal) {
      let fix = try fix.checked()
      guard fix.technologies.contains(.gnss) else { return handleCoarse(fix, at: now) }
      let seconds = try sequence.place(fix.time, at: now, tuning)
      return handle(fix, seconds: seconds, isRadiusTold: isRadiusTold)
    } catch {
      lastRefusal = error
      return nil
    }
  }

  private mutating func handle(_ fix: PositionFix, seconds: Double, isRadiusTold: Bool) -> Estimate {
    let told = isRadiusTold ? fix.horizontalRadius68.value : tuning.assumedTrackRadius
    let frame = frame(around: fix.coordinate)
    var new = Measurement(fix, radius: told, seconds: seconds, in: frame, tuning)
    judge.add(new, tuning)
    let held = gate.hold(new, tuning)
    streak += 1
    if judge.isUnfiltered || streak <= tuning.greatestHold { doubt(&new) }
    let isNode = window.count == 0 || seconds - window.newestSeconds >= tuning.nodeSpacing
    if isNode { add(new) }
    var causal = fix
    let basis: Estimate.Basis
    var belief: Belief
    if judge.isUnfiltered {
      if isNode { window.solve(tuning) }
      belief = window.belief(at: seconds, noise: tuning.noise) ?? window.newest
      basis = .track
      causal = answer(fix, belief, told: told)
    } else {
      belief = window.belief(at: seconds, noise: tuning.noise) ?? window.newest
      let radius = RadiusModel.asTold(
        fix.horizontalRadius68.value, isTold: isRadiusTold, surprise: judge.surpriseMeters, tuning)
      causal.horizontalRadius68 = Meters(radius)
      if let held {
        basis = .heldBack
        causal.coordinate = frame.coordinate(at: held.place)
        let before = last?.fix.horizontalRadius68.value ?? radius
        let coasted = RadiusModel.coasted(before, seconds: held.seconds, speed: new.speed ?? 0, tuning)
        causal.horizontalRadius68 = Meters(max(coasted, tuning.heldShare * held.distance))
        belief.place = held.place
      } else {
        basis = .asTold
        belief.place = new.place
      }
      if let velocity = new.velocity { belief.velocity = velocity }
    }
    last = Answer(fix: causal, seconds: seconds, belief: belief)
    let due = delay.push(
      Delay.Entry(fix: causal, seconds: seconds, isOfTrack: basis == .track), lag: tuning.lag)
    return Estimate(causal: causal, basis: basis, lagged: due.map(lagged))
  }

  /// The frame, moved where the place has come far from its origin.
  private mutating func frame(around place: Coordinate) -> TangentFrame {
    guard let old = frame else {
      let new = TangentFrame(origin: place)
      frame = new
      return new
    }
    let distance = old.offset(of: place).offset.length
    guard !(distance < tuning.greatestOffset) else { return old }
    let new = TangentFrame(origin: place)
    if distance < tuning.greatestJump {
      window.move(from: old, to: new)
      judge.move(from: old, to: new)
      gate.move(from: old, to: new)
      coarse?.move(from: old, to: new)
      if var answer = last {
        answer.belief.place = new.carry(answer.belief.place, from: old)
        answer.belief.velocity = new.carry(velocity: answer.belief.velocity, from: old)
        last = answer
      }
    } else {
      // No track leads there.
      window.removeAll()
      gate = SpikeGate()
      coarse = nil
      last = nil
    }
    frame = new
    return new
  }

  /// Makes the measurement the newest node of the window.
  private mutating func add(_ new: Measurement) {
    let isSlow = new.speed.map { $0 < tuning.standingSpeed } ?? false
    let isStanding = isSlow && wasSlow
    wasSlow = isSlow
    let step = window.count > 0 ? new.seconds - window.newestSeconds : 0
    var node = Node()
    node.seconds = new.seconds
    node.step = step
    node.noise = isStanding ? tuning.standingNoise : tuning.noise
    node.place = new.place
    node.placeVariance = new.sigma * new.sigma
    if let velocity = new.velocity {
      node.velocity = velocity
      node.velocityVariance = new.velocitySigma * new.velocitySigma
    }
    // What reflects a signal changes with the way, and slowly with the satellites' own.
    let way = isStanding ? 0 : (new.speed ?? .infinity) * step
    node.novelty = min(1, max(tuning.nodeSpacing, step) / tuning.errorTime + way / tuning.errorLength)
    window.append(node, tuning)
  }

  /// The fix with what the track says instead of what it said itself.
  private func answer(_ fix: PositionFix, _ belief: Belief, told: Double) -> PositionFix {
    guard let frame else { return fix }
    var answer = fix
    answer.coordinate = frame.coordinate(at: belief.place)
    answer.horizontalRadius68 = Meters(
      RadiusModel.ofTrack(belief, told: told, agreement: window.agreement, tuning))
    return answer
  }

  private func lagged(_ entry: Delay.Entry) -> PositionFix {
    guard judge.isUnfiltered || entry.isOfTrack,
      let belief = window.belief(at: entry.seconds, noise: tuning.noise)
    else { return entry.fix }
    return answer(entry.fix, belief, told: entry.fix.horizontalRadius68.value)
  }
}

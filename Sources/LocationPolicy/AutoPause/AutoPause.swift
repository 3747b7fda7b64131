import Fusion
package import Geodesy

/// Pauses a background client's updates when they are of no use (Documentation/Behavior.md, "Activity and automatic pause"): the
/// machine does not move, no fix is available, or its activity is clearly over. Nothing is paused in the foreground; there, paused
/// updates resume.
///
/// A pause stops the client's sources until the client comes to the foreground or starts updates again. If the client can no longer
/// come to the foreground, movement also ends the pause; cheap position checks detect it (`PauseCheck`).
package struct AutoPause: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Updates start, or are requested again, which ends a pause.
    case start
    case stop
    /// The client's limits, whenever they change; `nil`: no automatic pause.
    case limits(AutoPauseLimits?)
    case foreground(Bool)
    /// A fix of the client's updates; during a pause, a fix of a position check or one that another client requested.
    case fix(PositionFix)
    /// The position check failed: there is no source.
    case positionCheckFailed
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// Why the updates are paused.
  package enum Reason: Hashable, Sendable {
    case standstill, silence, activityOver
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Stop this client's sources and notify it.
    case pause(Reason)
    /// Start this client's sources and notify it.
    case resume
    /// Request positions without delivering them to the client; a 68 % radius of `sufficientRadius68` is good enough.
    case checkPosition
    /// Stop requesting positions.
    case rest
  }

  private enum State {
    case off
    /// Running, in a state in which nothing is paused.
    case unwatched
    case watched(Watch)
    case paused(PauseCheck?)
  }

  /// Observations since a pause became possible.
  private struct Watch {
    /// When the newest usable fix arrived, or the watch began.
    var fixAt: Instant
    /// When the watch began: fixes received earlier do not count.
    let begunAt: Instant
    var standing = StationaryPosition()
    /// When the machine became faster than its activity; `nil`: it is not.
    var ridingSince: Instant?
  }

  private var limits: AutoPauseLimits?
  private var isInForeground: Bool
  private let movementResumes: Bool
  private var state = State.off
  /// The kind of motion, and the activity learned from it since the start: also learned in the foreground.
  private var classifier = MotionClassifier()
  private var outing = ActivityWatch()

  /// A machine for one client's updates.
  ///
  /// - Parameter movementResumes: whether movement resumes the updates, because the client, once in the background, can never come
  ///   to the foreground.
  package init(limits: AutoPauseLimits?, isInForeground: Bool, movementResumes: Bool = false) {
    self.limits = limits
    self.isInForeground = isInForeground
    self.movementResumes = movementResumes
  }

  /// Whether updates are paused.
  package var isPaused: Bool {
    if case .paused = state { true } else { false }
  }

  /// Whether positions are requested, to detect the end of the pause.
  package var isCheckingPosition: Bool {
    if case .paused(let check?) = state { check.isCheckingPosition } else { false }
  }

  /// The 68 % radius that is good enough for such a check.
  package static let sufficientRadius68 = PauseCheck.Limits.sufficient

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .watched(let watch): limits.map { watch.fixAt + $0.silence }
    case .paused(let check): check?.nextDeadline
    case .off, .unwatched: nil
    }
  }

  /// Takes over what another machine has observed of the same activity, unless that machine is off or paused.
  package mutating func merge(with other: AutoPause) {
    switch other.state {
    case .off, .paused: return
    case .unwatched: break
    case .watched(let watch):
      if case .watched = state { state = .watched(watch) }
    }
    (classifier, outing) = (other.classifier, other.outing)
  }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .start:
      outing = ActivityWatch()
      guard isPaused else {
        state = running(at: now)
        return []
      }
      return resume(at: now)
    case .stop:
      let wasLooking = isCheckingPosition
      state = .off
      return wasLooking ? [.rest] : []
    case .limits(let new):
      limits = new
      return circumstancesChanged(at: now)
    case .foreground(let isInForeground):
      guard isInForeground != self.isInForeground else { return [] }
      self.isInForeground = isInForeground
      return circumstancesChanged(at: now)
    case .fix(let fix):
      learn(fix, at: now)
      switch state {
      case .watched(let watch): return limits.map { update(fix, watch, $0, at: now) } ?? []
      case .paused(let check?): return update(fix, check, at: now)
      case .off, .unwatched, .paused(nil): return []
      }
    case .positionCheckFailed:
      guard case .paused(var check?) = state, check.isCheckingPosition else { return [] }
      check.rest(at: now)
      state = .paused(check)
      return [.rest]
    case .wake: return wake(at: now)
    }
  }

  private mutating func wake(at now: Instant) -> [Action] {
    switch state {
    case .watched(let watch):
      guard let limits, now >= watch.fixAt + limits.silence else { return [] }
      return pause(.silence, at: nil, now)
    case .paused(var check?):
      let wasLooking = check.isCheckingPosition
      check.wake(at: now)
      state = .paused(check)
      return check.isCheckingPosition == wasLooking ? [] : [wasLooking ? .rest : .checkPosition]
    case .off, .unwatched, .paused(nil): return []
    }
  }

  private mutating func pause(_ reason: Reason, at place: PositionFix?, _ now: Instant) -> [Action] {
    state = .paused(movementResumes ? PauseCheck(place: place, at: now) : nil)
    return [.pause(reason)]
  }

  private mutating func resume(at now: Instant) -> [Action] {
    let wasLooking = isCheckingPosition
    state = running(at: now)
    // The updates start before the check ends, so that no receiver is closed and reopened in between.
    return wasLooking ? [.resume, .rest] : [.resume]
  }

  private mutating func learn(_ fix: PositionFix, at now: Instant) {
    guard limits?.learnsActivity ?? false, !isPaused, let motion = classifier.handle(fix, at: now) else { return }
    outing.handle(motion, at: now)
  }

  private func running(at now: Instant) -> State {
    isInForeground || limits == nil ? .unwatched : .watched(Watch(fixAt: now, begunAt: now))
  }

  private mutating func circumstancesChanged(at now: Instant) -> [Action] {
    switch state {
    case .off: return []
    case .unwatched:
      state = running(at: now)
      return []
    case .watched:
      // Changed limits do not restart the time that a condition has lasted.
      if isInForeground || limits == nil { state = .unwatched }
      return []
    case .paused:
      return isInForeground || limits == nil ? resume(at: now) : []
    }
  }

  private mutating func update(_ fix: PositionFix, _ watch: Watch, _ limits: AutoPauseLimits, at now: Instant)
    -> [Action]
  {
    // A frozen or jammed receiver does not prove a standstill, and neither does a fix from before the watch.
    guard fix.qualityFlag == nil, fix.receivedAt >= watch.begunAt else { return [] }
    var watch = watch
    watch.fixAt = now
    watch.standing.add(fix)
    let isRiding = limits.ridingSpeed.map { (fix.speedMetersPerSecond ?? 0) > $0 } ?? false
    watch.ridingSince = isRiding ? watch.ridingSince ?? now : nil
    if let stood = watch.standing.duration(at: now), let standstill = limits.standstill, stood >= standstill {
      return pause(.standstill, at: watch.standing.place, now)
    }
    let isRidden = watch.ridingSince.map { now - $0 >= limits.ride } ?? false
    if isRidden || limits.learnsActivity && outing.isOver { return pause(.activityOver, at: fix, now) }
    state = .watched(watch)
    return []
  }

  private mutating func update(_ fix: PositionFix, _ check: PauseCheck, at now: Instant) -> [Action] {
    switch check.verdict(on: fix) {
    case .isOver:
      outing = ActivityWatch()
      return resume(at: now)
    case .isUndecided: return []
    case .continues:
      var check = check
      let wasLooking = check.isCheckingPosition
      check.rest(at: now)
      state = .paused(check)
      return wasLooking ? [.rest] : []
    }
  }
}

/// How long a condition has to last before updates are paused automatically.
///
/// Apple states no figures (Documentation/Behavior.md, "Activity and automatic pause": minutes, not seconds; seen in the field:
/// 10–20 min without movement). These are ours, on the long side: users complain of pauses that come too early, not of those that
/// come late.
package struct AutoPauseLimits: Hashable, Sendable {
  /// How long the machine has to stand still; `nil`: a standstill pauses nothing.
  package var standstill: Duration?
  /// How long usable fixes have to be missing.
  package var silence: Duration
  /// Motion faster than this, in meters per second, for `ride` means that the activity is clearly over. `nil`: no speed ends it.
  package var ridingSpeed: Double?
  package var ride: Duration = .seconds(5 * 60)
  /// Whether the activity is learned from the motion, so that clearly different motion ends it.
  package var learnsActivity = false

  package init(
    standstill: Duration?, silence: Duration, ridingSpeed: Double? = nil, learnsActivity: Bool = false
  ) {
    self.learnsActivity = learnsActivity
    self.standstill = standstill
    self.silence = silence
    self.ridingSpeed = ridingSpeed
  }

  /// The client's kind of motion is not known.
  package static let other = AutoPauseLimits(standstill: .seconds(15 * 60), silence: .seconds(15 * 60))
  /// A stationary vehicle is parked or in a jam; a jam moves within ten minutes.
  package static let automotive = AutoPauseLimits(
    standstill: .seconds(10 * 60), silence: .seconds(15 * 60), learnsActivity: true)
  /// On foot or on a bicycle; 50 km/h for five minutes is a car or a train.
  package static let fitness = AutoPauseLimits(
    standstill: .seconds(10 * 60), silence: .seconds(15 * 60), ridingSpeed: 50 / 3.6, learnsActivity: true)
  /// Trains and boats, which have long stops.
  package static let otherNavigation = AutoPauseLimits(standstill: .seconds(20 * 60), silence: .seconds(20 * 60))
  /// On the ground before takeoff, and without reception in a cabin.
  package static let airborne = AutoPauseLimits(standstill: .seconds(30 * 60), silence: .seconds(30 * 60))
  /// Vessels on the water, including at anchor (Apple's description of `CLActivityType.maritime`): a boat at anchor does not move
  /// and is still under way for its crew, so only a lack of fixes pauses it, below deck or in a shed.
  package static let maritime = AutoPauseLimits(standstill: nil, silence: .seconds(30 * 60))
}

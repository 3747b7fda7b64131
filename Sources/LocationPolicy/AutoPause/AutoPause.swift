import Fusion
package import Geodesy

/// Pauses a background client's updates when they serve nobody (spec/behaviour.md §5): it does not move, no fix can be had, or its
/// activity is plainly over. In the foreground nothing is paused, and what was paused goes on.
///
/// A pause stops the updates underneath, so no movement ends it: the foreground does, or a new start.
package struct AutoPause: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// Updates begin, or are asked for again: a pause is overruled.
    case start
    case stop
    /// The client's wishes, whenever they change; `nil`: it does not want to be paused.
    case limits(AutoPauseLimits?)
    case foreground(Bool)
    case fix(PositionFix)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// Why it is paused.
  package enum Reason: Hashable, Sendable {
    case standstill, silence, activityOver
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    /// Stop the sources of this client and tell it.
    case pause(Reason)
    /// Start them and tell it.
    case resume
  }

  private enum State {
    case off
    /// Running where nothing is paused.
    case unwatched
    case watched(Watch)
    case paused
  }

  /// What has been seen since a pause became possible.
  private struct Watch {
    /// When the newest fix arrived, or the watch began.
    var fixAt: Instant
    /// Where it stands, and since when; `nil` before the first fix and while it moves.
    var place: PositionFix?
    var standstill = Standstill()
    /// Since when it has been faster than the activity is.
    var ridingSince: Instant?
  }

  private var limits: AutoPauseLimits?
  private var isInForeground: Bool
  private var state = State.off
  /// How it moves, and what it is out for since it began: learnt in the foreground too.
  private var classifier = MotionClassifier()
  private var outing = ActivityWatch()

  /// A machine for one client's updates.
  package init(limits: AutoPauseLimits?, isInForeground: Bool) {
    self.limits = limits
    self.isInForeground = isInForeground
  }

  /// Whether updates are paused.
  package var isPaused: Bool {
    if case .paused = state { true } else { false }
  }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    guard case .watched(let watch) = state, let limits else { return nil }
    return watch.fixAt + limits.silence
  }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .start:
      outing = ActivityWatch()
      let wasPaused = isPaused
      state = running(at: now)
      return wasPaused ? [.resume] : []
    case .stop:
      state = .off
      return []
    case .limits(let new):
      limits = new
      return circumstancesChanged(at: now)
    case .foreground(let isInForeground):
      guard isInForeground != self.isInForeground else { return [] }
      self.isInForeground = isInForeground
      return circumstancesChanged(at: now)
    case .fix(let fix):
      learn(fix, at: now)
      guard case .watched(let watch) = state, let limits else { return [] }
      return see(fix, watch, limits, at: now)
    case .wake:
      guard case .watched(let watch) = state, let limits, now >= watch.fixAt + limits.silence else { return [] }
      state = .paused
      return [.pause(.silence)]
    }
  }

  private mutating func learn(_ fix: PositionFix, at now: Instant) {
    guard limits?.learnsActivity ?? false, !isPaused, let motion = classifier.handle(fix, at: now) else { return }
    outing.handle(motion, at: now)
  }

  private func running(at now: Instant) -> State {
    isInForeground || limits == nil ? .unwatched : .watched(Watch(fixAt: now))
  }

  private mutating func circumstancesChanged(at now: Instant) -> [Action] {
    switch state {
    case .off: return []
    case .unwatched:
      state = running(at: now)
      return []
    case .watched:
      // Other limits do not begin anew what has lasted.
      if isInForeground || limits == nil { state = .unwatched }
      return []
    case .paused:
      guard isInForeground || limits == nil else { return [] }
      state = .unwatched
      return [.resume]
    }
  }

  private mutating func see(_ fix: PositionFix, _ watch: Watch, _ limits: AutoPauseLimits, at now: Instant) -> [Action]
  {
    // Neither a frozen receiver nor a jammed one says that nothing moves.
    guard fix.suspicion == nil else { return [] }
    var watch = watch
    watch.fixAt = now
    switch watch.standstill.add(fix) {
    case .arrived: watch.place = fix
    case .staying, .wavering: break
    case .departed: watch.place = nil
    case .moving:
      // Without a speed (Wi-Fi), the place tells, late.
      let isHere = watch.place.map { Standstill.isWithinReach(fix, of: $0) } ?? false
      if !isHere || fix.speedMetersPerSecond != nil { watch.place = fix.speedMetersPerSecond == nil ? fix : nil }
    }
    let isRiding = limits.ridingSpeed.map { (fix.speedMetersPerSecond ?? 0) > $0 } ?? false
    watch.ridingSince = isRiding ? watch.ridingSince ?? now : nil

    state = .paused
    if let place = watch.place, now - place.receivedAt >= limits.standstill { return [.pause(.standstill)] }
    if limits.learnsActivity, outing.isOver { return [.pause(.activityOver)] }
    if let since = watch.ridingSince, now - since >= limits.ride { return [.pause(.activityOver)] }
    state = .watched(watch)
    return []
  }
}

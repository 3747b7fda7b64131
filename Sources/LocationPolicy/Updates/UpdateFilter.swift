package import Geodesy

/// One client's stream of fixes: selects the fixes to deliver, and reports when there is no longer a position.
///
/// Documentation/Behavior.md, "Streams" (`lost`, `back`). A fix is valid if it is new, not suspect and meets the requested
/// accuracy. Suspect fixes are delivered with their mark while there is a position, but do not keep it: without a valid fix the
/// position is lost after three epochs, and at once with the last source; then only a valid fix restores it. For a client that
/// takes raw fixes, these are valid.
package struct UpdateFilter: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Starts. `lastFix`: the newest fix of a running service; delivered if it is still current.
    case start(lastFix: PositionFix?)
    /// A fix. `lasting`: how long it remains the position if no further fix comes; `nil`: three of its source's epochs.
    case fix(PositionFix, lasting: Duration? = nil)
    /// A continuation of the track while the receiver had no fix: it extends an existing position and cannot start one.
    case extrapolated(PositionFix)
    /// Whether any source is available: sent once after `.startSources`, then on every change.
    case sourcesChanged(available: Bool)
    /// The client ends the stream.
    case stop
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    case startSources
    case stopSources
    /// One fix of the stream; its radius already includes the growth over `age`.
    case deliver(PositionFix, age: Duration)
    /// There is no longer a valid fix: the last one is not the current position any more.
    case lost
    /// Fixes are available again; the first one follows.
    case back
    /// There is no source at all: the stream has ended.
    case failWithoutSource
  }

  private enum State {
    case idle
    /// No valid fix yet. `hasSource`: whether there has been a source since the start.
    case waiting(hasSource: Bool)
    /// No valid fix yet, and no source since the start; `until`: when the stream ends without one.
    case absent(until: Instant)
    case current(UpdateTrack)
    case lost(UpdateTrack)
    case finished
  }

  private let options: UpdateOptions
  private var state = State.idle

  /// A machine for one stream; it cannot be reused.
  package init(_ options: UpdateOptions) { self.options = options }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .idle, .waiting, .lost, .finished: nil
    case .absent(let end): end
    case .current(let track): track.lostAt
    }
  }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    // The most frequent case: changes the track in place and avoids joining two lists of actions.
    if case .fix(let fix, let lasting) = input, case .current(let track) = state,
      min(now, fix.receivedAt) < track.lostAt
    {
      return next(fix, lasting: lasting, at: now)
    }
    switch (state, input) {
    case (.idle, .start(let lastFix)):
      state = .waiting(hasSource: false)
      return [.startSources] + (lastFix.map { first($0, lasting: nil, at: now) } ?? [])
    case (.waiting, .fix(let fix, let lasting)), (.absent, .fix(let fix, let lasting)):
      return first(fix, lasting: lasting, at: now)
    case (.current(let track), .fix(let fix, let lasting)):
      // A fix received in time counts as in time, even if it is processed late.
      return detectLoss(track, at: min(now, fix.receivedAt)) + next(fix, lasting: lasting, at: now)
    case (.current(let track), .extrapolated(let fix)):
      return detectLoss(track, at: min(now, fix.receivedAt)) + next(fix, lasting: nil, at: now)
    case (.lost(let track), .fix(let fix, let lasting)):
      return revive(track, with: fix, lasting: lasting, at: now)
    case (.waiting, .sourcesChanged(available: true)), (.absent, .sourcesChanged(available: true)):
      state = .waiting(hasSource: true)
      return []
    case (.waiting(hasSource: false), .sourcesChanged(available: false)) where !options.waitsForSource:
      // A receiver that was just plugged in is not a port yet.
      state = .absent(until: now + OneShot.enumerationTime)
      return []
    case (.absent(let end), .wake), (.absent(let end), .sourcesChanged(available: false)):
      guard now >= end else { return [] }
      state = .finished
      return [.failWithoutSource, .stopSources]
    case (.current(let track), .sourcesChanged(available: false)):
      // The source was removed: no fix can come, so there is nothing to wait for.
      state = .lost(track)
      return [.lost]
    case (.current(let track), .sourcesChanged(available: true)), (.current(let track), .wake):
      return detectLoss(track, at: now)
    case (.waiting, .stop), (.absent, .stop), (.current, .stop), (.lost, .stop):
      state = .finished
      return [.stopSources]
    case (.idle, .stop):
      state = .finished
      return []
    case (.idle, .extrapolated), (.waiting, .extrapolated), (.absent, .extrapolated), (.lost, .extrapolated),
      (.finished, .extrapolated):
      return []
    case (.idle, .fix), (.idle, .sourcesChanged), (.idle, .wake),
      (.waiting, .start), (.waiting, .sourcesChanged), (.waiting, .wake), (.absent, .start),
      (.current, .start), (.lost, .start), (.lost, .sourcesChanged), (.lost, .wake),
      (.finished, .start), (.finished, .fix), (.finished, .sourcesChanged), (.finished, .stop), (.finished, .wake):
      return []
    }
  }

  /// Handles a fix before the first position: only a valid and current one counts.
  private mutating func first(_ fix: PositionFix, lasting: Duration?, at now: Instant) -> [Action] {
    let track = UpdateTrack(first: fix, lasting: lasting)
    guard isValid(fix, at: now), now < track.lostAt else { return [] }
    state = .current(track)
    return [delivery(of: fix, at: now)]
  }

  /// Handles a fix while there is a position, or just after the position has ended.
  private mutating func next(_ fix: PositionFix, lasting: Duration?, at now: Instant) -> [Action] {
    switch state {
    case .lost(let track): return revive(track, with: fix, lasting: lasting, at: now)
    case .idle, .waiting, .absent, .finished: return []
    case .current(var track):
      // Taken out of the state while it is changed, so that its storage is not shared and copied.
      state = .idle
      var actions: [Action] = []
      if !track.isRepetition(fix), isDelivered(fix, at: now) {
        if isValid(fix, at: now) { track.keepAlive(fix, lasting: lasting) }
        if track.passes(fix, options.distanceFilter) {
          track.deliver(fix)
          actions = [delivery(of: fix, at: now)]
        }
      }
      state = .current(track)
      let losses = detectLoss(track, at: now)
      return losses.isEmpty ? actions : actions + losses
    }
  }

  /// Handles a fix while the position is lost: a valid one restores it, however close to the last one it is.
  private mutating func revive(
    _ track: UpdateTrack, with fix: PositionFix, lasting: Duration?, at now: Instant
  ) -> [Action] {
    guard !track.isRepetition(fix), isValid(fix, at: now) else { return [] }
    var track = track
    guard track.keepAlive(fix, lasting: lasting), now < track.lostAt else { return [] }
    track.deliver(fix)
    state = .current(track)
    return [.back, delivery(of: fix, at: now)]
  }

  private mutating func detectLoss(_ track: UpdateTrack, at now: Instant) -> [Action] {
    guard now >= track.lostAt else { return [] }
    state = .lost(track)
    return [.lost]
  }

  private func delivery(of fix: PositionFix, at now: Instant) -> Action {
    .deliver(fix.grown(to: now), age: fix.age(at: now))
  }

  /// Whether a fix may be delivered at all: it has a radius, and that meets the requested accuracy.
  private func isDelivered(_ fix: PositionFix, at now: Instant) -> Bool {
    guard fix.horizontalRadius68.value > 0, fix.horizontalRadius68.value.isFinite else { return false }
    return options.desiredRadius68.map { fix.horizontalRadius68(at: now) <= $0 } ?? true
  }

  private func isValid(_ fix: PositionFix, at now: Instant) -> Bool {
    (fix.qualityFlag == nil || options.isRaw) && isDelivered(fix, at: now)
  }
}

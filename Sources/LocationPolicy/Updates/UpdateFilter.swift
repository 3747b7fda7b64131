package import Geodesy

/// What one client wants of a stream of fixes.
package struct UpdateRequest: Hashable, Sendable {
  /// Only fixes with at most this 68 % radius are delivered; `nil`: all.
  package var desiredRadius68: Meters?
  /// Only fixes at least this far from the previously delivered one are, unless the accuracy has improved; `nil`: all.
  package var distanceFilter: Meters?
  /// With no source at all, wait for one instead of ending at once.
  package var waitsForSource: Bool
  /// What the receiver reports is wanted, believable or not: a suspect fix counts as any other.
  package var takesSuspectFixes: Bool

  /// Everything as it comes.
  package init(
    desiredRadius68: Meters? = nil, distanceFilter: Meters? = nil, waitsForSource: Bool = false,
    takesSuspectFixes: Bool = false
  ) {
    self.desiredRadius68 = desiredRadius68
    self.distanceFilter = distanceFilter
    self.waitsForSource = waitsForSource
    self.takesSuspectFixes = takesSuspectFixes
  }
}

/// One client's stream of fixes: which of them it gets, and when it is told that there is no position any more.
///
/// Documentation/Behavior.md, "Streams" (`lost`, `back`). A fix is valid if it is new, not suspect and meets the accuracy asked for. Suspect fixes are told with their
/// mark while there is a position, but keep nothing alive: without a valid one the position is lost after three epochs, and
/// at once with the last source; then only a valid one brings it back. To a client that takes suspect fixes they are valid.
package struct UpdateFilter: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// Begins. `lastFix`: the newest fix of a service that runs already; delivered if it is still the present.
    case start(lastFix: PositionFix?)
    /// A fix. `lasting`: how long it stays the position where nothing follows; `nil`: three of its source's epochs.
    case fix(PositionFix, lasting: Duration? = nil)
    /// Where the track went on while the receiver had no fix: it goes on a position that there is, and is no beginning.
    case goesOn(PositionFix)
    /// Whether any source is there: told once after `.startSources`, then whenever it changes.
    case sourcesChanged(available: Bool)
    /// The client wants no more.
    case stop
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    case startSources
    case stopSources
    /// One fix of the stream; its radius has been grown to `age` already.
    case deliver(PositionFix, age: Duration)
    /// No valid fix any more: the last one must not be taken for the present.
    case lost
    /// Fixes come again; the first one follows.
    case back
    /// There is no source at all: the stream is over.
    case failWithoutSource
  }

  private enum State {
    case idle
    /// Nothing valid yet. `hasSource`: whether there has been a source since the start.
    case waiting(hasSource: Bool)
    case current(UpdateTrack)
    case lost(UpdateTrack)
    case finished
  }

  private let request: UpdateRequest
  private var state = State.idle

  /// A machine for one stream; it cannot be used twice.
  package init(_ request: UpdateRequest) { self.request = request }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .idle, .waiting, .lost, .finished: nil
    case .current(let track): track.lostAt
    }
  }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    // Nearly all there is: the track is changed where it is, and no list of actions is made of two.
    if case .fix(let fix, let lasting) = input, case .current(let track) = state,
      min(now, fix.receivedAt) < track.lostAt
    {
      return next(fix, lasting: lasting, at: now)
    }
    switch (state, input) {
    case (.idle, .start(let lastFix)):
      state = .waiting(hasSource: false)
      return [.startSources] + (lastFix.map { first($0, lasting: nil, at: now) } ?? [])
    case (.waiting, .fix(let fix, let lasting)):
      return first(fix, lasting: lasting, at: now)
    case (.current(let track), .fix(let fix, let lasting)):
      // A fix that arrived in time has, though it is looked at too late.
      return detectLoss(track, at: min(now, fix.receivedAt)) + next(fix, lasting: lasting, at: now)
    case (.current(let track), .goesOn(let fix)):
      return detectLoss(track, at: min(now, fix.receivedAt)) + next(fix, lasting: nil, at: now)
    case (.lost(let track), .fix(let fix, let lasting)):
      return revive(track, with: fix, lasting: lasting, at: now)
    case (.waiting, .sourcesChanged(available: true)):
      state = .waiting(hasSource: true)
      return []
    case (.waiting(hasSource: false), .sourcesChanged(available: false)) where !request.waitsForSource:
      state = .finished
      return [.failWithoutSource, .stopSources]
    case (.current(let track), .sourcesChanged(available: false)):
      // Unplugged: nothing can come, so there is nothing to wait for.
      state = .lost(track)
      return [.lost]
    case (.current(let track), .sourcesChanged(available: true)), (.current(let track), .wake):
      return detectLoss(track, at: now)
    case (.waiting, .stop), (.current, .stop), (.lost, .stop):
      state = .finished
      return [.stopSources]
    case (.idle, .stop):
      state = .finished
      return []
    case (.idle, .goesOn), (.waiting, .goesOn), (.lost, .goesOn), (.finished, .goesOn): return []
    case (.idle, .fix), (.idle, .sourcesChanged), (.idle, .wake),
      (.waiting, .start), (.waiting, .sourcesChanged), (.waiting, .wake),
      (.current, .start), (.lost, .start), (.lost, .sourcesChanged), (.lost, .wake),
      (.finished, .start), (.finished, .fix), (.finished, .sourcesChanged), (.finished, .stop), (.finished, .wake):
      return []
    }
  }

  /// A fix before there was any: only a valid and present one counts.
  private mutating func first(_ fix: PositionFix, lasting: Duration?, at now: Instant) -> [Action] {
    let track = UpdateTrack(first: fix, lasting: lasting)
    guard isValid(fix, at: now), now < track.lostAt else { return [] }
    state = .current(track)
    return [delivery(of: fix, at: now)]
  }

  /// A fix while there is a position, or just after that has ended.
  private mutating func next(_ fix: PositionFix, lasting: Duration?, at now: Instant) -> [Action] {
    switch state {
    case .lost(let track): return revive(track, with: fix, lasting: lasting, at: now)
    case .idle, .waiting, .finished: return []
    case .current(var track):
      // Taken out while it is changed, so that nothing shares its storage and makes it copy.
      state = .idle
      var actions: [Action] = []
      if !track.isRepetition(fix), isTold(fix, at: now) {
        if isValid(fix, at: now) { track.keepAlive(fix, lasting: lasting) }
        if track.passes(fix, request.distanceFilter) {
          track.deliver(fix)
          actions = [delivery(of: fix, at: now)]
        }
      }
      state = .current(track)
      let losses = detectLoss(track, at: now)
      return losses.isEmpty ? actions : actions + losses
    }
  }

  /// A fix while the position is lost: a valid one brings it back, however near to the last one it is.
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

  /// Whether a fix may be told at all: it has a radius, and that meets the accuracy asked for.
  private func isTold(_ fix: PositionFix, at now: Instant) -> Bool {
    guard fix.horizontalRadius68.value > 0, fix.horizontalRadius68.value.isFinite else { return false }
    return request.desiredRadius68.map { fix.horizontalRadius68(at: now) <= $0 } ?? true
  }

  private func isValid(_ fix: PositionFix, at now: Instant) -> Bool {
    (fix.suspicion == nil || request.takesSuspectFixes) && isTold(fix, at: now)
  }
}

package import Geodesy

/// One request for one fix: says when to start the sources, which fix answers, when to give up (Documentation/Behavior.md, "One
/// fix").
///
/// It holds every intermediate fix back and ends with exactly one `.deliver` or `.fail`, unless it is cancelled. Whatever
/// started the sources stops them. That a request and updates exclude each other is the composer's to see to, with
/// `.cancel`.
package struct OneShot: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// Begins. `lastFix`: the newest fix of a service that runs already; `isTracked`: whether its receiver had converged.
    case start(lastFix: PositionFix?, isTracked: Bool)
    /// A fix. `isTracked`: its receiver had converged before this request, or says itself that it has; of one by Wi-Fi: nothing
    /// will better it.
    case fix(PositionFix, isTracked: Bool)
    /// Whether any source is there: told once after `.startSources`, then whenever it changes.
    case sourcesChanged(available: Bool)
    /// How many satellites the receiver hears, fix or not; `nil` where it does not say.
    case satellites(inView: Int?)
    /// The client has gone, or updates take over: no answer any more.
    case cancel
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    case startSources
    case stopSources
    /// The answer; its radius has been grown to `age` already. `isCached`: it came before the request.
    case deliver(PositionFix, age: Duration, isCached: Bool)
    /// There is no answer.
    case fail(OneShotFailure)
  }

  private enum State {
    case idle
    case searching(OneShotSearch)
    case finished
  }

  private let request: OneShotRequest
  private var state = State.idle

  /// A machine for one request; it cannot be used twice.
  package init(_ request: OneShotRequest) { self.request = request }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .idle, .finished: nil
    case .searching(let search): search.nextDeadline
    }
  }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.idle, .start(let lastFix, let isTracked)):
      let search = OneShotSearch(request, lastFix: lastFix, isTracked: isTracked, startedAt: now)
      guard let answer = conclude(search, at: now) else { return [.startSources] }
      return [answer]
    case (.searching(var search), .fix(let fix, let isTracked)):
      search.add(fix, isTracked: isTracked, at: now)
      return step(search, at: now)
    case (.searching(var search), .sourcesChanged(let available)):
      search.sourcesChanged(available: available, at: now)
      return step(search, at: now)
    case (.searching(var search), .satellites(let inView)):
      search.satellites(inView: inView, at: now)
      return step(search, at: now)
    case (.searching(let search), .wake):
      return step(search, at: now)
    case (.searching, .cancel):
      state = .finished
      return [.stopSources]
    case (.idle, .cancel):
      state = .finished
      return []
    case (.searching, .start), (.idle, .fix), (.idle, .sourcesChanged), (.idle, .satellites), (.idle, .wake),
      (.finished, .start), (.finished, .fix), (.finished, .sourcesChanged), (.finished, .satellites),
      (.finished, .cancel), (.finished, .wake):
      return []
    }
  }

  /// Goes on with `search`, or ends it and stops the sources.
  private mutating func step(_ search: OneShotSearch, at now: Instant) -> [Action] {
    guard let answer = conclude(search, at: now) else { return [] }
    return [answer, .stopSources]
  }

  /// The one answer, if it is due; the state follows it.
  private mutating func conclude(_ search: OneShotSearch, at now: Instant) -> Action? {
    var search = search
    guard let verdict = search.verdict(at: now) else {
      state = .searching(search)
      return nil
    }
    state = .finished
    return switch verdict {
    case .answer(let fix):
      .deliver(fix.grown(to: now), age: fix.age(at: now), isCached: !search.isFresh(fix))
    case .failure(let reason):
      .fail(reason)
    }
  }
}

/// What a stated accuracy means for the answer to a request for one fix.
package enum AccuracyRule: Hashable, Sendable, CaseIterable {
  /// The stated accuracy ends the wait early; a fix that has converged answers too (Apple's `requestLocation`).
  case converging
  /// Only a fix with the stated accuracy answers; without one by the timeout the request fails.
  case required
  /// As `.required`, but at the timeout the best fix answers instead of a failure.
  case preferred
}

/// What one request for one fix asks for.
package struct OneShotRequest: Hashable, Sendable {
  /// Answer as soon as a fix with at most this 68 % radius exists; `nil`: the best that converges.
  package var desiredRadius68: Meters?
  /// What becomes of the request where no fix has `desiredRadius68`.
  package var accuracyRule: AccuracyRule
  /// The answer, or the failure, comes at the latest this long after the start.
  package var timeout: Duration
  /// How old a fix from before the request may be when it is given; zero asks for one from after the start.
  package var maximumAge: Duration
  /// With no source at all, wait for one until the timeout instead of failing at once.
  package var waitsForSource: Bool

  /// The timeout of the command line (Documentation/Behavior.md, "One fix").
  package static let timeoutOfTheCommandLine: Duration = .seconds(120)

  /// A request; the defaults are those of the command line.
  package init(
    desiredRadius68: Meters? = nil, timeout: Duration = Self.timeoutOfTheCommandLine,
    maximumAge: Duration = .seconds(2), waitsForSource: Bool = false, accuracyRule: AccuracyRule = .converging
  ) {
    self.desiredRadius68 = desiredRadius68
    self.accuracyRule = desiredRadius68 == nil ? .converging : accuracyRule
    self.timeout = timeout
    self.maximumAge = maximumAge
    self.waitsForSource = waitsForSource
  }
}

/// Why a request for one fix ends without one; the composer adds which device it was.
package enum OneShotFailure: Hashable, Sendable {
  /// There is no source at all, and none came.
  case noSource
  /// There was a source, it has gone before it gave a usable fix, and it did not come back.
  case sourceEnded
  /// The receiver said for a minute that it hears no satellite at all.
  case noSatellites
  /// No fix by the deadline. `satellitesInView`: what the receiver said last, `nil` where it has not told.
  case noFix(satellitesInView: Int?)
  /// Fixes came, and none had the accuracy that is required; the smallest 68 % radius at the end.
  case notAccurateEnough(best: Meters)
  /// Fixes came and none could be believed: the last one's suspicion, or `nil` where it was too old.
  case noUsableFix(Suspicion?)
}

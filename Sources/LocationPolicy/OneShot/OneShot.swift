package import Geodesy

/// One request for one fix: decides when to start the sources, which fix is the answer, and when to give up
/// (Documentation/Behavior.md, "One fix").
///
/// It holds back every intermediate fix and ends with exactly one `.deliver` or `.fail`, unless it is canceled. The code that
/// started the sources stops them. A request and updates exclude each other; the owner of both ensures that, with `.cancel`.
package struct OneShot: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Starts. `lastFix`: the newest fix of a running service; `isTracked`: whether its receiver had converged.
    case start(lastFix: PositionFix?, isTracked: Bool)
    /// A fix. `isTracked`: its receiver had converged before this request, or reports that it has; for a Wi-Fi fix: no better one
    /// is expected.
    case fix(PositionFix, isTracked: Bool)
    /// Whether any source is available: sent once after `.startSources`, then on every change.
    case sourcesChanged(available: Bool)
    /// The number of satellites received, with or without a fix; `nil`: the receiver does not report it.
    case satellites(inView: Int?)
    /// The client has disconnected, or updates replace the request: no answer follows.
    case cancel
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    case startSources
    case stopSources
    /// The answer; its radius already includes the growth over `age`. `isCached`: received before the request.
    case deliver(PositionFix, age: Duration, isCached: Bool)
    /// There is no answer.
    case fail(OneShotFailure)
  }

  private enum State {
    case idle
    case searching(OneShotSearch)
    case finished
  }

  /// The time in which a receiver that was just plugged in becomes a port: USB enumeration and udev need up to 3 s. A request for
  /// one fix or for a stream does not report the absence of any receiver before.
  package static let enumerationTime: Duration = .seconds(3)

  private let options: OneShotOptions
  private var state = State.idle

  /// A machine for one request; it cannot be reused.
  package init(_ options: OneShotOptions) { self.options = options }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .idle, .finished: nil
    case .searching(let search): search.nextDeadline
    }
  }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.idle, .start(let lastFix, let isTracked)):
      let search = OneShotSearch(options, lastFix: lastFix, isTracked: isTracked, startedAt: now)
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

  /// Continues with `search`, or ends it and stops the sources.
  private mutating func step(_ search: OneShotSearch, at now: Instant) -> [Action] {
    guard let answer = conclude(search, at: now) else { return [] }
    return [answer, .stopSources]
  }

  /// The one answer, if it is due; sets the state accordingly.
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

/// How a requested accuracy affects the answer to a request for one fix.
package enum AccuracyRule: UInt8, Hashable, Sendable, CaseIterable {
  /// A fix of the requested accuracy ends the wait early; a fix that has converged is an answer too (Apple's `requestLocation`).
  case converging = 0
  /// Only a fix of the requested accuracy is an answer; if the wait ends without one, the request fails.
  case required = 1
  /// As `.required`, but when the wait ends, the best fix is the answer instead of a failure.
  case preferred = 2
}

/// A client's options for one fix.
package struct OneShotOptions: Hashable, Sendable {
  /// Answer as soon as a fix with at most this 68 % radius exists; `nil`: the best that converges.
  package var desiredRadius68: Meters?
  /// What happens if no fix has `desiredRadius68`.
  package var accuracyRule: AccuracyRule
  /// Path of the only receiver whose fixes may answer; `nil`: any receiver's.
  package var device: String?
  /// Maximum time from the start to the answer or the failure.
  package var timeout: Duration
  /// A fix that is at most this old and meets the accuracy answers at once; zero requires a new one.
  package var maximumAge: Duration
  /// On failure, give the last known fix instead, marked as cached.
  package var acceptsLastKnown: Bool
  /// With no source at all, wait for one until the timeout instead of failing after `OneShot.enumerationTime`.
  package var waitsForSource: Bool
  /// What happens while the client's authorization is not determined.
  package var whenNotDetermined: NotDeterminedPolicy

  /// The defaults of the command line interface (Documentation/Behavior.md, "One fix").
  package init(
    desiredRadius68: Meters? = nil, timeout: Duration = .seconds(120), maximumAge: Duration = .seconds(2),
    acceptsLastKnown: Bool = false, waitsForSource: Bool = false, whenNotDetermined: NotDeterminedPolicy = .asks,
    accuracyRule: AccuracyRule = .converging
  ) {
    self.desiredRadius68 = desiredRadius68
    self.accuracyRule = accuracyRule
    self.timeout = timeout
    self.maximumAge = maximumAge
    self.acceptsLastKnown = acceptsLastKnown
    self.waitsForSource = waitsForSource
    self.whenNotDetermined = whenNotDetermined
  }

  /// The last known fix at once, however old it is; no source is started for it.
  package static var lastKnown: Self {
    Self(timeout: .zero, maximumAge: .zero, acceptsLastKnown: true, waitsForSource: true)
  }

  /// The rule that applies: without a desired radius, a fix that has converged is the answer.
  package var rule: AccuracyRule { desiredRadius68 == nil ? .converging : accuracyRule }
}

/// Why a request for one fix ends without one; the caller adds the device that was used.
package enum OneShotFailure: Hashable, Sendable {
  /// There is no source at all, and none appeared.
  case noSource
  /// There was a source, but it ended before it gave a usable fix, and it did not return.
  case sourceEnded
  /// For a minute the receiver reported no satellite at all.
  case noSatellites
  /// No fix by the deadline. `satellitesInView`: the receiver's last report, `nil` if there was none.
  case noFix(satellitesInView: Int?)
  /// There were fixes, but none of the required accuracy; the smallest 68 % radius at the end.
  case notAccurateEnough(best: Meters)
  /// There were fixes, but none was usable: the last one's quality flag, or `nil` if it was too old or had no radius.
  case noUsableFix(FixQualityFlag?)
}

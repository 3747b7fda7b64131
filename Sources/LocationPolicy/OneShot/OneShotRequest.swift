package import Geodesy

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

package import Geodesy
package import LocationPolicy

/// What a client wants of one fix.
package struct OneShotOptions: Hashable, Sendable {
  /// Answer as soon as a fix with at most this 68 % radius exists; `nil`: the best that converges.
  package var desiredRadius68: Meters?
  /// What becomes of the request where no fix has `desiredRadius68`.
  package var accuracyRule = AccuracyRule.converging
  /// Path of the receiver whose fixes alone may answer; `nil`: any receiver's.
  package var device: String?
  /// The answer, or the failure, comes at the latest after this.
  package var timeout: Duration
  /// A fix that is at most this old and meets the accuracy is given at once; zero asks for a fresh one.
  package var maximumAge: Duration
  /// On failure, give the last known fix instead, marked as cached.
  package var acceptsLastKnown: Bool
  /// With no source at all, wait for one to appear instead of failing at once.
  package var waitsForSource: Bool
  /// Where nobody has decided yet whether the client may know.
  package var ifUndecided: UndecidedConduct

  /// The defaults of the command line contract.
  package init(
    desiredRadius68: Meters? = nil, timeout: Duration = .seconds(120), maximumAge: Duration = .seconds(2),
    acceptsLastKnown: Bool = false, waitsForSource: Bool = false, ifUndecided: UndecidedConduct = .asks
  ) {
    self.desiredRadius68 = desiredRadius68
    self.timeout = timeout
    self.maximumAge = maximumAge
    self.acceptsLastKnown = acceptsLastKnown
    self.waitsForSource = waitsForSource
    self.ifUndecided = ifUndecided
  }
}

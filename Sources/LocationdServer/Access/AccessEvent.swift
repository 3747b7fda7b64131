package import LocationPolicy

/// Authorization events that the daemon logs; they never contain a position.
package enum AccessEvent: Hashable, Sendable {
  /// The kernel does not authenticate a client; all of the client's requests fail.
  case unidentified(processID: Int32?)
  /// A client requested authorization, but no prompt is shown.
  case ignored(name: String, ClientIdentity, IgnoredRequest)
  case switched(isOn: Bool)
  /// The stored decisions are lost, except for the given number of refusals.
  case lost(LoadedGrants.Loss, isOn: Bool, refusals: Int)
  /// Decisions cannot be written.
  case cannotKeep(GrantStorageProblem)
  /// Decisions can be written again after a failure.
  case keptAgain
  /// No reduced position can be computed; therefore none is sent.
  case noGrid(GridKey.Problem)
  case cannotShow(IndicatorProblem)
}

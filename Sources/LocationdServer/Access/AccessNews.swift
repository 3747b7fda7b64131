package import LocationPolicy

/// What the daemon logs of who may know; never where anybody is.
package enum AccessNews: Hashable, Sendable {
  /// The kernel does not vouch for a client, and it is told nothing.
  case unidentified(processID: Int32?)
  /// A client asked to be authorized, and nobody is asked.
  case ignored(name: String, ClientIdentity, IgnoredRequest)
  case switched(isOn: Bool)
  /// What was decided is not known any more, but for so many refusals.
  case lost(RememberedGrants.Loss, isOn: Bool, refusals: Int)
  /// What was decided cannot be written.
  case cannotKeep(KeepingProblem)
  /// What could not be is written now.
  case keptAgain
  /// Nobody is told anything roughly.
  case noGrid(GridKey.Problem)
  case cannotShow(IndicatorProblem)
}

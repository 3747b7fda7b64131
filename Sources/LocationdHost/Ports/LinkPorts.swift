package import Diagnosis
package import LocationdService

/// The ports behind the links: real ones, or those of a recording. This protocol separates the core's actions from their
/// execution; each implementation reports results to the runner.
package protocol LinkPorts: AnyObject {
  /// Opens the port; answered by `.opened` or `.openFailed`.
  func open(_ id: LinkID, _ device: DeviceSighting)
  /// Closes the port, or stops waiting for it. No report follows.
  func close(_ id: LinkID)
  func setSpeed(_ id: LinkID, baud: Int)
  /// Sends bytes to the receiver; what does not fit is dropped, because a late poll is useless.
  func write(_ id: LinkID, _ bytes: [UInt8])
  /// The counters of the port's driver so far; `nil`: the driver has none.
  func lineErrors(_ id: LinkID) -> LineErrors?
}

extension LinkPorts {
  package func lineErrors(_ id: LinkID) -> LineErrors? { nil }
}

package import Diagnosis
package import LocationdService

/// The ports behind the links: real ones, or those of a recording. The seam between the core's wishes and what carries them
/// out; each reports back to the runner.
package protocol LinkPorts: AnyObject {
  /// Opens the port; answered by `.opened` or `.openFailed`.
  func open(_ id: LinkID, _ device: DeviceSighting)
  /// Closes it, or gives up waiting for it. No report follows.
  func close(_ id: LinkID)
  func setSpeed(_ id: LinkID, baud: Int)
  /// Sends bytes to the receiver; what does not fit is dropped, as a poll that comes late is worth nothing.
  func write(_ id: LinkID, _ bytes: [UInt8])
  /// What the line's driver has counted so far; `nil` where nothing counts.
  func lineErrors(_ id: LinkID) -> LineErrors?
}

extension LinkPorts {
  package func lineErrors(_ id: LinkID) -> LineErrors? { nil }
}

package import Diagnosis
package import Geodesy
package import LocationdService

/// The ports behind the links: real ones, or those of a recording. This protocol separates the core's actions from their
/// execution; each implementation reports results to the runner.
package protocol PortDriver: AnyObject {
  /// Opens the port; answered by `.opened` or `.openFailed`.
  func open(_ id: LinkID, _ device: DetectedDevice)
  /// Closes the port, or stops waiting for it. No report follows.
  func close(_ id: LinkID)
  func setSpeed(_ id: LinkID, baud: Int)
  /// Sends a message to the receiver, whole or not at all: if too much waits already, it is dropped, because a late poll is useless.
  func write(_ id: LinkID, _ bytes: [UInt8])
  /// The counters of the port's driver since it was loaded; `nil` if the driver has none.
  func lineErrors(_ id: LinkID) -> LineErrors?
}

extension PortDriver {
  package func lineErrors(_ id: LinkID) -> LineErrors? { nil }
}

/// Observes the traffic between the core and its ports, for a recording or a diagnosis.
package protocol PortObserver: AnyObject {
  /// Whether nothing may be written to any receiver while this observer is set.
  var forbidsWriting: Bool { get }
  /// Whether the observer needs the receivers' bytes even if only gpsd can decode them, and would report their content.
  var wantsBytesAlone: Bool { get }
  /// Receives an input of the core.
  func note(_ input: ServiceCore.Input, at now: Instant)
  /// Receives an action of the core.
  func note(_ action: ServiceCore.Action, at now: Instant)
  /// Receives bytes that a receiver has sent.
  func received(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant)
}

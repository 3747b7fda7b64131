package import Geodesy
package import LocationdService

/// Observes the traffic between the core and its ports, for a recording or a diagnosis.
package protocol PortTap: AnyObject {
  /// Whether nothing may be written to any receiver while this observes.
  var forbidsWriting: Bool { get }
  /// Whether it needs the receivers' bytes even if only gpsd can decode them and would report their meaning.
  var wantsBytesAlone: Bool { get }
  /// Receives an input of the core.
  func note(_ input: ServiceCore.Input, at now: Instant)
  /// Receives an action of the core.
  func note(_ action: ServiceCore.Action, at now: Instant)
  /// Receives bytes that a receiver has sent.
  func heard(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant)
}

package import Geodesy
package import LocationdService

/// Hears what goes to and fro between the core and its ports: for a recording, or a diagnosis.
package protocol PortTap: AnyObject {
  /// Whether nothing may be written to any receiver meanwhile.
  var forbidsWriting: Bool { get }
  /// Whether it wants what receivers send, also where only gpsd understands that and would tell what it means.
  var wantsBytesAlone: Bool { get }
  /// Takes what the core is told.
  func note(_ input: ServiceCore.Input, at now: Instant)
  /// Takes what the core answers.
  func note(_ action: ServiceCore.Action, at now: Instant)
  /// Takes what a receiver has sent.
  func heard(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant)
}

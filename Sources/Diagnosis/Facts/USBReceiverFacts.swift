/// A USB device that is surely a receiver, as the bus shows it.
package struct USBReceiverFacts: Hashable, Sendable {
  /// Its place: "1-1.4".
  package var place: String
  /// VID:PID.
  package var identity: String
  /// What it is, by the catalogue or its own word.
  package var name: String
  /// The kernel's driver for its kind: `cdc_acm`; `nil`: not known.
  package var driver: String?
  /// Whether the kernel lets it be used.
  package var isAuthorized = true
  /// Names of its ports: `ttyACM0`; empty: no driver has taken it.
  package var ports: [String] = []
  /// Whether `/dev` has a node for one of them.
  package var hasNode = false

  package init(place: String, identity: String, name: String) {
    self.place = place
    self.identity = identity
    self.name = name
  }
}

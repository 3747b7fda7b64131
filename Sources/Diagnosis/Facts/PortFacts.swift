/// One serial port that the machine shows.
package struct PortFacts: Hashable, Sendable {
  package var path: String
  /// Other names of the node.
  package var otherNames: [String] = []
  /// What `devices trust` takes.
  package var id: String
  package var name: String?
  /// Whether it may be opened without being named: surely a receiver, or trusted.
  package var isSource: Bool
  package var isUSB: Bool
  /// Its place on USB, where it has one: "1-1.4".
  package var usbPlace: String?
  /// Whether its line has a speed that limits it: a UART behind it, not USB all the way.
  package var hasRealSpeed: Bool

  package init(path: String, id: String, isSource: Bool, isUSB: Bool, hasRealSpeed: Bool) {
    self.path = path
    self.id = id
    self.isSource = isSource
    self.isUSB = isUSB
    self.hasRealSpeed = hasRealSpeed
  }

  /// The node's name without `/dev/`.
  package var tty: String { String(path.split(separator: "/").last ?? "") }
}

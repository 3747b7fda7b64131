/// The way to a receiver that gpsd owns.
package struct GPSDRoute: Hashable, Sendable {
  /// Where that gpsd listens.
  package var host: String
  package var port: UInt16
  /// The receiver, as gpsd names it.
  package var device: String

  package init(host: String, port: UInt16, device: String) {
    self.host = host
    self.port = port
    self.device = device
  }
}

internal import LinuxIO

/// Where a gpsd listens.
package struct GPSDEndpoint: Hashable, Sendable {
  /// A name or a numeric address.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Its addresses where no resolver has to be asked; `nil`: it is a name.
  var numericAddresses: [NetworkAddress]? {
    // Both, in this order: where IPv6 is off, gpsd listens on the first alone.
    let names = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
    let addresses = names.compactMap { NetworkAddress(numeric: $0, port: port) }
    return addresses.isEmpty ? nil : addresses
  }
}

import NetworkSources

/// Where a gpsd listens: `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`.
package struct GPSDAddress: Hashable, Sendable {
  package var host: String
  package var port: UInt16
  /// Path of its control socket, if that is not the usual one.
  package var controlSocket: String?

  /// The port that IANA has assigned to gpsd.
  package static let standardPort = NetworkSource.gpsdPort
  /// The gpsd of this machine.
  package static let local = GPSDAddress(host: "localhost", port: standardPort)

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `nil` if the text is not an address.
  package init?(parsing text: String) {
    // gpsd's clients accept an IPv6 address without brackets, too.
    let isBare = !text.hasPrefix("[") && text.utf8.count { $0 == UInt8(ascii: ":") } > 1
    guard
      let found = try? HostAndPort(
        parsing: isBare ? "[\(text)]" : Substring(text), usualPort: NetworkSource.gpsdPort)
    else { return nil }
    self.init(host: found.host, port: found.port)
  }

  /// Whether it is on this machine, and its receivers are, too.
  package var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// `localhost:2947`, `[::1]:2947`.
  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// How to reach a receiver that gpsd owns.
package struct GPSDRoute: Hashable, Sendable {
  /// The address of that gpsd.
  package var gpsd: GPSDAddress
  /// The receiver, as gpsd names it.
  package var device: String

  package init(gpsd: GPSDAddress, device: String) {
    self.gpsd = gpsd
    self.device = device
  }
}

import NetworkSources

/// An address at which the service listens: `127.0.0.1:PORT` or `[::1]:PORT`, or one at which other machines can connect.
package struct ListenAddress: Hashable, Sendable {
  package var host: String
  package var port: UInt16
  /// Whether it is left out on a machine that does not have it: IPv6, unless it was named.
  package var isOptional = false

  /// The port that IANA has assigned to NMEA 0183 over IP.
  package static let standardNMEAPort: UInt16 = 10_110

  package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Both addresses of this machine.
  package static func local(port: UInt16) -> [ListenAddress] {
    var ipv6 = ListenAddress(host: "::1", port: port)
    ipv6.isOptional = true
    return [ListenAddress(host: "127.0.0.1", port: port), ipv6]
  }

  package enum Problem: Error, Hashable, Sendable {
    /// The text is not a list of numeric addresses with ports.
    case notAnAddress
  }

  /// The most addresses of one list.
  package static let most = 8

  /// Reads `off`, `on` or addresses, separated by blanks or commas: `127.0.0.1:PORT`, `[::1]:PORT`, or `PORT` alone for both.
  ///
  /// - Parameter port: what `on` stands for.
  package static func list(parsing text: String, port: UInt16) throws(Problem) -> [ListenAddress] {
    switch text {
    case "off": return []
    case "on": return local(port: port)
    default: break
    }
    var list: [ListenAddress] = []
    for word in NetworkSource.words(of: text) {
      for address in try addresses(String(word)) where !list.contains(address) { list.append(address) }
    }
    guard !list.isEmpty, list.count <= most else { throw .notAnAddress }
    return list
  }

  private static func addresses(_ word: String) throws(Problem) -> [ListenAddress] {
    if word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(word), port > 0 {
      return local(port: port)
    }
    guard let colon = word.lastIndex(of: ":"), let port = UInt16(word[word.index(after: colon)...]), port > 0 else {
      throw .notAnAddress
    }
    var host = String(word[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard let address = IPAddress(parsing: host), !address.isGroup else { throw .notAnAddress }
    return [ListenAddress(host: host, port: port)]
  }

  /// Whether it is an address of the loopback interface. Beyond it, the kernel does not say whose a connection is.
  package var isLocal: Bool { IPAddress(parsing: host)?.isLoopback == true }

  /// `127.0.0.1:2947`, `[::1]:2947`.
  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

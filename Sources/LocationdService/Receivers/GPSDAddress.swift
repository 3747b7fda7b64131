/// Where a gpsd listens: `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`.
package struct GPSDAddress: Hashable, Sendable {
  package var host: String
  package var port: UInt16
  /// Path of its control socket, if that is not the usual one.
  package var controlSocket: String?

  /// The port that IANA has assigned to gpsd.
  package static let standardPort: UInt16 = 2947
  /// The gpsd of this machine.
  package static let local = GPSDAddress(host: "localhost", port: standardPort)

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `nil` if the text is not an address.
  package init?(parsing text: String) {
    var host = text[...]
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    // Host names and addresses contain nothing else (RFC 952, RFC 4291); the longest name has 253 bytes.
    guard !host.isEmpty, host.utf8.count <= 253,
      host.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "/") })
    else { return nil }
    let number = port.map { UInt16($0) ?? 0 } ?? Self.standardPort
    guard number > 0 else { return nil }
    self.init(host: String(host), port: number)
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

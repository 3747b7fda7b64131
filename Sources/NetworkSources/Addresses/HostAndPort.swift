/// A host name or numeric address, and a port.
package struct HostAndPort: Hashable, Sendable {
  /// An IPv6 address is without brackets.
  package let host: String
  /// 1…65,535.
  package let port: UInt16

  /// The longest host name (RFC 1035, 2.3.4), bytes.
  package static let longestHost = 253

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT`, `192.0.2.1:PORT` or `[2001:db8::1]:PORT`. The port may be missing if there is a usual one.
  package init(parsing text: Substring, usualPort: UInt16?) throws(NetworkSourceError) {
    var host = text
    var digits: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .badHost(String(text)) }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw .badHost(String(text)) }
      // A link-local address needs its interface: `fe80::1%eth0` (RFC 4007, 11).
      let zone = host.firstIndex(of: "%").map { host[$0...].dropFirst() }
      guard IPAddress(parsing: host.prefix { $0 != "%" }) != nil, host.contains(":"),
        zone.map({ !$0.isEmpty && Self.isName($0) }) ?? true
      else { throw .badHost(String(text)) }
      digits = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      digits = text[text.index(after: colon)...]
      guard Self.isName(host), digits?.contains(":") == false else { throw .badHost(String(text)) }
    } else {
      guard Self.isName(host) else { throw .badHost(String(text)) }
    }
    let port: UInt16
    if let digits {
      guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = UInt16(digits), number > 0
      else { throw .badPort(String(digits)) }
      port = number
    } else {
      guard let usualPort else { throw .missingPort(host: String(text)) }
      port = usualPort
    }
    self.init(host: String(host), port: port)
  }

  /// The host as an address, 127.0.0.1 for `localhost`; `nil`: it is another name, or an address with a zone.
  package var address: IPAddress? { host == "localhost" ? IPAddress(parsing: "127.0.0.1") : IPAddress(parsing: host) }

  /// `example.org:2101`, `[::1]:2947`.
  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Letters, digits, `.`, `-` and `_`: the characters in names of the DNS and of containers.
  private static func isName(_ text: Substring) -> Bool {
    (1...longestHost).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

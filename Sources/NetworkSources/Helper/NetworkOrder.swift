import Geodesy

/// What a client of the network helper wants: one connection, one listening address, one port for other machines or one target of datagrams.
package enum NetworkOrder: Hashable, Sendable {
  /// A connection to a server; encrypted, if the server is to be authenticated.
  case connect(HostAndPort, isEncrypted: Bool)
  case listen(ListeningSource)
  /// An address at which other machines connect; their connections are passed on.
  case accept(ListeningSource)
  /// Datagrams to an address: each message of the client is one.
  case send(DatagramTarget)

  /// The longest text, bytes.
  package static let longestText = NetworkSource.longestText

  /// The order as text, which `init(_:)` reads.
  package var text: String {
    switch self {
    case .connect(let server, let isEncrypted): "\(isEncrypted ? "tls" : "tcp")://\(server.text)"
    case .listen(let source): source.fullText
    case .accept(let source): "accept-\(source.fullText)"
    case .send(let target): "send-\(target.text)"
    }
  }

  /// `nil` for text that is no order.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longestText, let mark = text.firstPlace(of: "://") else { return nil }
    if text.hasPrefix("send-") {
      guard let target = try? DatagramTarget(parsing: text.dropFirst("send-".count)) else { return nil }
      self = .send(target)
      return
    }
    if text.hasPrefix("accept-") {
      guard case .listener(let source)? = try? NetworkSource(parsing: String(text.dropFirst("accept-".count))),
        !source.isDatagram, !source.allowed.ranges.isEmpty
      else { return nil }
      self = .accept(source)
      return
    }
    let server = try? HostAndPort(parsing: text[mark.upperBound...], usualPort: nil)
    switch (text[..<mark.lowerBound], server) {
    case ("tcp", let server?): self = .connect(server, isEncrypted: false)
    case ("tls", let server?): self = .connect(server, isEncrypted: true)
    default:
      guard case .listener(let source)? = try? NetworkSource(parsing: text) else { return nil }
      self = .listen(source)
    }
  }
}

extension ListeningSource {
  /// The address with the ranges of its peers.
  package var fullText: String {
    let ranges = allowed.ranges.map(\.text).joined(separator: ",")
    return "\(isDatagram ? "udp" : "tcp-listen")://\(local.text)" + (ranges.isEmpty ? "" : "?from=\(ranges)")
  }
}

import Geodesy
package import NetworkSources

/// The protocol in which positions are sent to a destination.
package enum FleetKind: UInt8, Hashable, Sendable, CaseIterable {
  /// MQTT 5, or 3.1.1 where the broker has no MQTT 5, with OwnTracks' topics and payloads.
  case mqtt = 0
  /// OwnTracks' payloads, one per HTTP POST: Recorder, Home Assistant's webhook, Dawarich, PhoneTrack, Traccar.
  case ownTracksHTTP = 1
  /// One position per HTTP request, in its query: Traccar's protocol OsmAnd.
  case osmAnd = 2
  /// Batches of GeoJSON features, one per HTTP POST: Overland's receivers, Dawarich.
  case overland = 3
  /// One HTTP POST per position, with a JSON template of the user's.
  case http = 4

  /// As on the command line and in the JSON output.
  package var name: String {
    switch self {
    case .mqtt: "mqtt"
    case .ownTracksHTTP: "owntracks-http"
    case .osmAnd: "osmand"
    case .overland: "overland"
    case .http: "http"
    }
  }

  package init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}

/// Where a destination is: `mqtts://HOST[:8883]`, `mqtt://HOST[:1883]`, `https://HOST[:443]/PATH`, `http://HOST[:80]/PATH`. An HTTP
/// address may be preceded by its kind and `+`: `osmand+https://HOST:5055/?id=ID`; without one it is `http`.
package struct FleetAddress: Hashable, Sendable {
  package let kind: FleetKind
  package let isEncrypted: Bool
  package let server: HostAndPort
  /// The path and the query of an HTTP address, which begins with `/`; empty for MQTT. May contain a secret.
  package let path: String

  /// The longest text, bytes.
  package static let longestText = 2048

  /// Reads an address; a `kind` that is given determines how an HTTP address without a prefix is understood.
  package init(parsing text: String, kind given: FleetKind? = nil) throws(FleetSettingsError) {
    guard text.utf8.count <= Self.longestText, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let mark = text.firstPlace(of: "://")
    else { throw .badAddress }
    var scheme = text[..<mark.lowerBound]
    var kind = given
    if let plus = scheme.firstIndex(of: "+") {
      guard let prefix = FleetKind(name: String(scheme[..<plus])), given == nil || given == prefix else {
        throw .badAddress
      }
      kind = prefix
      scheme = scheme[plus...].dropFirst()
    }
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    // A name and a password are separate settings: an address is printed.
    guard !rest[..<end].contains("@") else { throw .secretInAddress }
    let usual: UInt16
    switch (scheme, kind) {
    case ("mqtt", nil), ("mqtt", .mqtt): (usual, self.kind, isEncrypted) = (1883, .mqtt, false)
    case ("mqtts", nil), ("mqtts", .mqtt): (usual, self.kind, isEncrypted) = (8883, .mqtt, true)
    case ("http", .some(let kind)) where kind != .mqtt: (usual, self.kind, isEncrypted) = (80, kind, false)
    case ("https", .some(let kind)) where kind != .mqtt: (usual, self.kind, isEncrypted) = (443, kind, true)
    case ("http", nil): (usual, self.kind, isEncrypted) = (80, .http, false)
    case ("https", nil): (usual, self.kind, isEncrypted) = (443, .http, true)
    default: throw .badAddress
    }
    do throws(NetworkSourceError) {
      server = try HostAndPort(parsing: rest[..<end], usualPort: usual)
    } catch {
      throw .badAddress
    }
    let path = rest[end...]
    if self.kind == .mqtt {
      guard path.isEmpty || path == "/" else { throw .badAddress }
      self.path = ""
    } else {
      guard !path.contains("#") else { throw .badAddress }
      self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }
  }

  /// The address as text, which `init(parsing:)` reads.
  package var text: String { prefix + path }

  /// The address without its path and its query, which may contain a secret: the path of a webhook is one.
  package var publicText: String { prefix + (path.utf8.count > 1 ? "/…" : path[...]) }

  /// Whether both are addresses of one server; the path may be another one.
  package func isSameServer(as other: FleetAddress) -> Bool { server == other.server && kind == other.kind }

  /// Whether the server is this machine, so that nothing can be read on the way.
  package var isLoopback: Bool { server.address?.isLoopback ?? false }

  private var prefix: String {
    let scheme =
      switch kind {
      case .mqtt: isEncrypted ? "mqtts" : "mqtt"
      case .http: isEncrypted ? "https" : "http"
      case .ownTracksHTTP, .osmAnd, .overland: "\(kind.name)+\(isEncrypted ? "https" : "http")"
      }
    let usual: UInt16 = kind == .mqtt ? (isEncrypted ? 8883 : 1883) : (isEncrypted ? 443 : 80)
    let full = server.text
    return "\(scheme)://\(server.port == usual ? full.prefix(full.utf8.count - "\(usual)".utf8.count - 1) : full[...])"
  }
}

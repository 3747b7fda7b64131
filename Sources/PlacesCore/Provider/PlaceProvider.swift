package import Geodesy
package import Positioning

/// A server that answers queries for places, as a user has configured it: "nominatim:https://nominatim.example.org". None is preset.
///
/// The query strings follow the documents of the three programs: nominatim.org/release-docs/latest/api, the README of
/// github.com/komoot/photon, and github.com/pelias/documentation.
package struct PlaceProvider: Hashable, Sendable {
  /// The program that answers at the address.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case nominatim
    case photon
    case pelias
  }

  package let kind: Kind
  /// The address of the API, without the name of a request. Its query, such as a key, is part of each request.
  package let address: WebAddress

  /// `nil` if the text is not `nominatim:`, `photon:` or `pelias:` with an http or https address after it.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let kind = Kind(rawValue: String(text[..<colon])),
      let address = WebAddress(String(text[text.index(after: colon)...]))
    else { return nil }
    (self.kind, self.address) = (kind, address)
  }

  /// The name of the server for people.
  package var host: String { address.host }

  /// The address of a reverse query; `nil` if it would be too long. The position has no more digits than its accuracy deserves.
  package func address(of query: ReverseQuery) -> WebAddress? {
    let precision = ProviderPrecision(query.accuracy)
    let latitude = Self.decimal(query.coordinate.latitude.degrees, precision.decimals)
    let longitude = Self.decimal(query.coordinate.longitude.degrees, precision.decimals)
    var parameters: [(String, String)]
    switch kind {
    case .nominatim:
      parameters = [("format", "geocodejson"), ("lat", latitude), ("lon", longitude), ("zoom", String(precision.zoom))]
    case .photon: parameters = [("lat", latitude), ("lon", longitude), ("limit", "1")]
    case .pelias:
      parameters = [("point.lat", latitude), ("point.lon", longitude), ("size", "1")]
      if precision >= .quarter { parameters.append(("layers", "coarse")) }
    }
    return request("reverse", parameters, query.languages)
  }

  /// The address of a forward query; `nil` if it would be too long, or if the text is empty.
  package func address(of query: ForwardQuery) -> WebAddress? {
    let text =
      switch query.subject {
      case .text(let text): text
      case .parts(let parts): parts.line
      }
    guard !text.isEmpty, text.utf8.count <= ForwardQuery.longestText else { return nil }
    let limit = String(query.limit)
    switch kind {
    case .nominatim:
      var parameters = [("format", "geocodejson"), ("q", text), ("addressdetails", "1"), ("limit", limit)]
      if let hint = query.hint { parameters.append(("viewbox", Self.box(around: hint))) }
      return request("search", parameters, query.languages)
    case .photon:
      return request("api", [("q", text), ("limit", limit)] + near(query.hint, "lat", "lon"), query.languages)
    case .pelias:
      let parameters = [("text", text), ("size", limit)] + near(query.hint, "focus.point.lat", "focus.point.lon")
      return request("search", parameters, query.languages)
    }
  }

  // MARK: - Parameters

  private func request(_ path: String, _ parameters: [(String, String)], _ languages: [String]) -> WebAddress? {
    let parameters = parameters + language(languages)
    let parts = address.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var text = String(parts[0])
    while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
    text += "/\(path)?" + parameters.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
    if parts.count > 1, !parts[1].isEmpty { text += "&\(parts[1])" }
    return WebAddress(text)
  }

  private func language(_ languages: [String]) -> [(String, String)] {
    guard let first = languages.first, first.utf8.count <= 35 else { return [] }
    switch kind {
    case .nominatim: return [("accept-language", first)]
    // Photon refuses a language that was not imported; these are imported unless its owner changes that.
    case .photon:
      let primary = first.lowercased().prefix { $0 != "-" && $0 != "_" }
      return ["en", "de", "fr"].contains(primary) ? [("lang", String(primary))] : []
    case .pelias: return [("lang", first)]
    }
  }

  /// A hint is a town, and not a position: about 100 m are enough.
  private func near(_ hint: ForwardQuery.Hint?, _ latitude: String, _ longitude: String) -> [(String, String)] {
    guard let hint else { return [] }
    return [
      (latitude, Self.decimal(hint.center.latitude.degrees, 3)),
      (longitude, Self.decimal(hint.center.longitude.degrees, 3)),
    ]
  }

  /// West, north, east and south of a box around a hint; Nominatim prefers places in it.
  private static func box(around hint: ForwardQuery.Hint) -> String {
    let reach = min(max((hint.radius ?? Meters(20_000)).value / 111_000, 0.01), 5)
    let (latitude, longitude) = (hint.center.latitude.degrees, hint.center.longitude.degrees)
    let wide = reach / max(Math.cos(hint.center.latitude.radians), 0.1)
    return [
      max(longitude - wide, -180), min(latitude + reach, 90), min(longitude + wide, 180), max(latitude - reach, -90),
    ].map { decimal($0, 3) }.joined(separator: ",")
  }

  /// A number with so many decimals, such as "-0.050".
  static func decimal(_ number: Double, _ decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((number * Double(scale)).rounded())
    let fraction = String(abs(scaled) % scale)
    return (scaled < 0 ? "-" : "") + String(abs(scaled) / scale) + "."
      + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
  }

  /// A text as the value of a query (RFC 3986, 2.1).
  static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: ","):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What a server is asked for, by the accuracy of the position: no house number for a position that is known to 100 m.
package enum ProviderPrecision: Int, Comparable, Sendable {
  case building
  case street
  case quarter
  case town

  /// The largest radius of each, meters. A house number needs a radius of half a plot, as for the data on this machine.
  private static let (ofBuilding, ofStreet, ofQuarter) = (15.0, 100.0, 1500.0)

  package init(_ accuracy: Meters?) {
    switch accuracy?.value ?? 0 {
    case ...Self.ofBuilding: self = .building
    case ...Self.ofStreet: self = .street
    case ...Self.ofQuarter: self = .quarter
    default: self = .town
    }
  }

  /// The digits after the point: 1, 11, 111 and 1113 m.
  var decimals: Int { 5 - rawValue }

  /// Nominatim's level of detail (nominatim.org/release-docs/latest/api/Reverse).
  var zoom: Int {
    switch self {
    case .building: 18
    case .street: 17
    case .quarter: 14
    case .town: 10
    }
  }

  package static func < (a: ProviderPrecision, b: ProviderPrecision) -> Bool { a.rawValue < b.rawValue }
}

/// How a person reaches the user of a server: part of the user agent, as the owners of public servers demand.
package enum ProviderContact {
  /// The longest contact, bytes.
  package static let longest = 128

  /// Whether a text is an e-mail address or a web address, without characters that end a comment in a header.
  package static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (3...longest).contains(bytes.count),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && !Array("()\"\\<>,;".utf8).contains($0) })
    else { return false }
    if let at = bytes.firstIndex(of: UInt8(ascii: "@")) { return at > 0 && at < bytes.count - 1 }
    return WebAddress(text) != nil
  }
}

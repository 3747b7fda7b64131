/// A request as a browser sent it, with the headers that decide about it. Each list has the values of one header, at most two.
package struct HTTPRequest: Hashable, Sendable {
  /// The most bytes of a body.
  package static let longestBody = 65_536

  package var method: String
  /// The path and the query, not decoded.
  package var target: String
  package var hosts: [String] = []
  package var origins: [String] = []
  /// Sec-Fetch-Site: how the sender of the request and this server are related, as the browser states it.
  package var sites: [String] = []
  package var cookies: [String] = []
  /// If-None-Match.
  package var tags: [String] = []
  package var encodings: [String] = []
  package var body: [UInt8] = []
  /// Whether the body was longer than `longestBody`, and was dropped.
  package var isBodyTooLong = false

  package init(
    method: String, target: String, hosts: [String] = [], origins: [String] = [], sites: [String] = [],
    cookies: [String] = [], tags: [String] = [], encodings: [String] = [], body: [UInt8] = [],
    isBodyTooLong: Bool = false
  ) {
    (self.method, self.target, self.hosts, self.origins) = (method, target, hosts, origins)
    (self.sites, self.cookies, self.tags, self.encodings) = (sites, cookies, tags, encodings)
    (self.body, self.isBodyTooLong) = (body, isBodyTooLong)
  }
}

/// The answer to a request.
package struct HTTPResponse: Sendable {
  /// The status codes that this server sends (RFC 9110, section 15).
  package enum Status: Int, Hashable, Sendable {
    case ok = 200, noContent = 204, seeOther = 303, notModified = 304
    case badRequest = 400, forbidden = 403, notFound = 404, methodNotAllowed = 405, tooLong = 413, targetTooLong = 414
    case conflict = 409, unavailable = 503
  }

  package var status: Status
  /// In the order in which they are sent; the safety headers come first.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// The content types that this server sends.
  package enum Content: String, Hashable, Sendable {
    case html = "text/html; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    case style = "text/css; charset=utf-8"
    case json = "application/json"
    case svg = "image/svg+xml"
    case text = "text/plain; charset=utf-8"
    case events = "text/event-stream"
    case vectorTile = "application/vnd.mapbox-vector-tile"
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"
  }

  package init(_ status: Status, _ content: Content? = nil, _ body: [UInt8] = [], caches: Bool = false) {
    self.status = status
    self.body = body
    headers = Self.safety
    if !caches { headers.append(("Cache-Control", "no-store")) }
    if let content { headers.append(("Content-Type", content.rawValue)) }
  }

  /// A sentence for a person.
  package init(_ status: Status, sentence: String) {
    self.init(status, .text, Array((sentence + "\n").utf8))
  }

  /// Scripts, styles and pictures come from this server alone; the map draws its tiles in a worker of its own; nothing embeds the page, and
  /// no address is passed on.
  package static let safety: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
  ]
}

/// Decides which requests reach the map: only those of the page that the user opened.
///
/// Every website that the user visits can send requests to 127.0.0.1, and every user of this machine can connect. So each request needs
/// the cookie that only the holder of the token gets; its Host must be a name of this machine, which a website under a name of its own
/// (DNS rebinding) cannot send; and a request that changes something needs the page's own Origin (RFC 6454).
package struct RequestGate: Hashable, Sendable {
  /// What happens to a request.
  package enum Verdict: Hashable, Sendable {
    case serve(Route)
    /// The token is right: set the cookie, and remove the token from the address.
    case enter
    case refuse(HTTPResponse.Status, String)
  }

  /// The longest target in bytes.
  package static let longestTarget = 4096
  private static let longestCookies = 8192

  /// Who can reach the server.
  package enum Reach: Hashable, Sendable {
    /// This machine, without encryption.
    case loopback
    /// The local network, with TLS and read-only; the names and addresses of this machine, as in a URL.
    case network(names: [String])
  }

  private let port: UInt16
  private let reach: Reach
  /// In the address that the user opens.
  package let token: String
  /// In the cookie; not the token, so that an address in a history opens nothing after the server has ended.
  private let session: String

  /// - Parameters:
  ///   - port: the port at which the server listens.
  ///   - token: 128 random bits, as 32 hexadecimal digits.
  ///   - session: the same for the cookie.
  package init(port: UInt16, token: String, session: String, reach: Reach = .loopback) {
    (self.port, self.token, self.session, self.reach) = (port, token, session, reach)
  }

  /// Random bits as 32 hexadecimal digits.
  package static func secret(_ high: UInt64, _ low: UInt64) -> String {
    [high, low].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  /// The address that the user opens: at 127.0.0.1, or at the first name of the network.
  package var address: String { "\(origins[0])/?token=\(token)" }

  /// Cookies do not tell ports apart, so the name does.
  private var cookieName: String { "locationctl-map-\(port)" }

  /// The answer to the right token.
  package func entry(_ request: HTTPRequest) -> HTTPResponse {
    let cookie = "\(cookieName)=\(session); HttpOnly; SameSite=Strict; Path=/"
    let header = (name: "Set-Cookie", value: reach == .loopback ? cookie : cookie + "; Secure")
    // A page of another site, or a file, has led here: the browser would not send the cookie with what that page has caused, but does so
    // with what this answer causes.
    if let site = request.sites.first, site != "none", site != "same-origin" {
      let page = "<!doctype html><meta http-equiv=refresh content=\"0;url=/\"><title>Map</title>\n"
      var response = HTTPResponse(.ok, .html, Array(page.utf8))
      response.headers.append(header)
      return response
    }
    var response = HTTPResponse(.seeOther)
    response.headers.append(header)
    response.headers.append(("Location", "/"))
    return response
  }

  private var authorities: [String] {
    switch reach {
    case .loopback: ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    case .network(let names): names.map { "\($0):\(port)" }
    }
  }

  private var origins: [String] {
    let scheme = reach == .loopback ? "http" : "https"
    return authorities.map { "\(scheme)://\($0)" }
  }

  /// The decision about a request.
  package func check(_ request: HTTPRequest) -> Verdict {
    guard request.hosts.count == 1, let host = request.hosts.first, authorities.contains(host) else {
      return .refuse(.forbidden, "This server has another name: open the address that 'locationctl map' prints.")
    }
    guard request.target.utf8.count <= Self.longestTarget else {
      return .refuse(.targetTooLong, "The address is too long.")
    }
    guard let target = RequestTarget(request.target) else { return .refuse(.badRequest, "The address is not valid.") }
    let isReading = request.method == "GET" || request.method == "HEAD"
    if isReading, target.path == [], let given = target.value("token") {
      guard Self.areSame(given, token) else {
        return .refuse(.forbidden, "The token is of another run of 'locationctl map'.")
      }
      return .enter
    }
    // The browser states it; a page of another site cannot change it. `none`: the user typed the address.
    if let site = request.sites.first, site != "same-origin", !(isReading && site == "none") {
      return .refuse(.forbidden, "The request comes from another website.")
    }
    guard request.origins.allSatisfy({ origins.contains($0) }) else {
      return .refuse(.forbidden, "The request comes from another website.")
    }
    guard isReading || reach == .loopback else {
      return .refuse(.forbidden, "A map that is shared cannot be changed.")
    }
    guard isReading || request.origins.count == 1 else {
      return .refuse(.forbidden, "A request that changes something needs an Origin.")
    }
    guard hasCookie(request) else {
      return .refuse(.forbidden, "Open the address that 'locationctl map' prints, with its token.")
    }
    guard !request.isBodyTooLong else { return .refuse(.tooLong, "The request is too long.") }
    switch Route.of(request.method, target, request.body) {
    case .found(let route): return .serve(route)
    case .wrongMethod: return .refuse(.methodNotAllowed, "This address cannot be used like that.")
    case .invalid(let sentence): return .refuse(.badRequest, sentence)
    case .unknown: return .refuse(.notFound, "There is nothing at this address.")
    }
  }

  private func hasCookie(_ request: HTTPRequest) -> Bool {
    guard request.cookies.count == 1, let cookies = request.cookies.first, cookies.utf8.count <= Self.longestCookies
    else { return false }
    var isHeld = false
    for cookie in cookies.split(separator: ";") {
      let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == cookieName else { continue }
      isHeld = Self.areSame(String(parts[1]), session) || isHeld
    }
    return isHeld
  }

  /// Compares without a hint in the time how many bytes are right.
  private static func areSame(_ given: String, _ secret: String) -> Bool {
    let (given, secret) = (Array(given.utf8), Array(secret.utf8))
    guard given.count == secret.count else { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(given, secret) { difference |= a ^ b }
    return difference == 0
  }
}

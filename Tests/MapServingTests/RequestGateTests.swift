import Geodesy
import MapServing
import Regions
import Testing

/// Which requests reach the map.
@Suite struct RequestGateTests {
  private let gate = RequestGate(
    port: 8123, token: String(repeating: "a", count: 32), session: String(repeating: "b", count: 32))
  private var cookie: String { "other=1; locationctl-map-8123=\(String(repeating: "b", count: 32))" }

  private func request(
    _ target: String, method: String = "GET", host: String = "127.0.0.1:8123", origin: String? = nil,
    site: String? = "same-origin", cookie: String? = nil, body: String = ""
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, target: target, hosts: [host], origins: origin.map { [$0] } ?? [], sites: site.map { [$0] } ?? [],
      cookies: [cookie ?? self.cookie], body: Array(body.utf8))
  }

  private func status(_ request: HTTPRequest) -> HTTPResponse.Status? {
    if case .refuse(let status, _) = gate.check(request) { status } else { nil }
  }

  @Test func theTokenIsExchangedForACookie() {
    #expect(gate.address == "http://127.0.0.1:8123/?token=\(String(repeating: "a", count: 32))")
    var first = request("/?token=\(gate.token)", site: "none")
    first.cookies = []
    #expect(gate.check(first) == .enter)
    let entry = gate.entry(first)
    #expect(entry.status == .seeOther)
    #expect(entry.headers.contains { $0.name == "Location" && $0.value == "/" })
    let set = entry.headers.first { $0.name == "Set-Cookie" }?.value ?? ""
    #expect(set.hasPrefix("locationctl-map-8123=\(String(repeating: "b", count: 32)); HttpOnly; SameSite=Strict"))
    #expect(status(request("/?token=\(String(repeating: "c", count: 32))")) == .forbidden)
    #expect(status(request("/?token=")) == .forbidden)
    #expect(status(request("/?token=\(gate.token)", method: "POST", origin: "http://127.0.0.1:8123")) != nil)
  }

  @Test(arguments: ["127.0.0.1:8123", "localhost:8123", "[::1]:8123"])
  func namesOfThisMachineAreServed(host: String) {
    #expect(gate.check(request("/events", host: host)) == .serve(.events))
  }

  @Test(arguments: [
    "evil.example", "evil.example:8123", "127.0.0.1", "127.0.0.1:8124", "127.0.0.1:8123.evil.example", "",
  ])
  func otherNamesAreRefused(host: String) {
    #expect(status(request("/", host: host)) == .forbidden)
    // Even with the token: a website under a name of its own may have it from a history.
    #expect(status(request("/?token=\(gate.token)", host: host)) == .forbidden)
  }

  @Test func eachRequestHasOneHost() {
    var double = request("/")
    double.hosts = ["127.0.0.1:8123", "127.0.0.1:8123"]
    #expect(status(double) == .forbidden)
    double.hosts = []
    #expect(status(double) == .forbidden)
  }

  @Test(arguments: [
    "", "locationctl-map-8123=", "locationctl-map-8124=\(String(repeating: "b", count: 32))",
    "locationctl-map-8123=\(String(repeating: "a", count: 32))",
  ])
  func nothingIsServedWithoutTheCookie(cookie: String) {
    for file in PageFile.allCases { #expect(status(request("/\(file.rawValue)", cookie: cookie)) == .forbidden) }
    #expect(status(request("/events", cookie: cookie)) == .forbidden)
  }

  @Test func requestsOfOtherWebsitesAreRefused() {
    #expect(status(request("/events", site: "cross-site")) == .forbidden)
    #expect(status(request("/events", site: "same-site")) == .forbidden)
    #expect(status(request("/events", origin: "http://evil.example")) == .forbidden)
    #expect(status(request("/events", origin: "null")) == .forbidden)
    #expect(gate.check(request("/", site: "none")) == .serve(.file(.page)))
    #expect(gate.check(request("/", origin: "http://localhost:8123")) == .serve(.file(.page)))
  }

  @Test func aChangeNeedsTheOwnOrigin() throws {
    let body = "shape=circle&points=47.1%2C9.5&radius=120"
    let own = "http://127.0.0.1:8123"
    #expect(status(request("/regions/home", method: "PUT", body: body)) == .forbidden)
    #expect(status(request("/regions/home", method: "POST", body: body)) == .forbidden)
    #expect(status(request("/regions/home", method: "PUT", origin: own, site: "none", body: body)) == .forbidden)
    let region = try Region(
      identifier: "home",
      shape: .circle(
        CircleShape(center: #require(Coordinate(checkingLatitude: 47.1, longitude: 9.5)), radius: Meters(120))))
    #expect(gate.check(request("/regions/home", method: "PUT", origin: own, body: body)) == .serve(.setRegion(region)))
    #expect(
      gate.check(request("/regions/a%20%2F%20b", method: "DELETE", origin: own))
        == .serve(.removeRegion(identifier: "a / b")))
  }

  @Test(arguments: [
    "", "shape=circle", "shape=circle&points=47,9", "shape=circle&points=47,9&radius=0",
    "shape=circle&points=47,9&radius=nan",
    "shape=circle&points=91,9&radius=5", "shape=circle&points=47,9%2047,9&radius=5", "shape=polygon&points=47,9%2047,8",
    "shape=star&points=47,9", "shape=circle&shape=circle&points=47,9&radius=5", "shape=%ff", "shape=circle&points=%",
  ])
  func regionsThatAreNoneAreRefused(body: String) {
    #expect(status(request("/regions/x", method: "PUT", origin: "http://127.0.0.1:8123", body: body)) == .badRequest)
  }

  @Test func routesAreFoundByTheirPaths() {
    #expect(gate.check(request("/")) == .serve(.file(.page)))
    #expect(gate.check(request("/vendor/maplibre-gl.js")) == .serve(.file(.mapLibre)))
    #expect(gate.check(request("/logs")) == .serve(.logs))
    #expect(
      gate.check(request("/tracks/my%20log?from=10&to=20"))
        == .serve(
          .track(
            name: "my log", from: GNSSTime(nanosecondsSince1970: 10_000_000_000),
            to: GNSSTime(nanosecondsSince1970: 20_000_000_000))))
    #expect(
      gate.check(request("/towns?area=9,47,10,48&most=5"))
        == .serve(.towns(MapArea(west: 9, south: 47, east: 10, north: 48)!, most: 5)))
    #expect(
      gate.check(request("/towns?area=9,47,10,48&most=99999"))
        == .serve(.towns(MapArea(west: 9, south: 47, east: 10, north: 48)!, most: Route.mostTowns)))
    for target in [
      "/towns?area=10,47,9,48", "/towns?area=nan,0,1,1", "/towns", "/tracks/x?from=now", "events", "http://a/", "/%",
      "/%00",
    ] {
      #expect(status(request(target)) == .badRequest, "\(target)")
    }
    for target in [
      "/nothing", "/../etc/passwd", "/vendor/../map.js", "/%2e%2e/map.js", "//", "/vendor%2Fmaplibre-gl.js/x",
    ] {
      #expect(status(request(target)) == .notFound, "\(target)")
    }
    #expect(status(request("/logs", method: "DELETE", origin: "http://127.0.0.1:8123")) == .methodNotAllowed)
    #expect(status(request("/" + String(repeating: "a", count: 5000))) == .targetTooLong)
    var long = request("/regions/x", method: "PUT", origin: "http://127.0.0.1:8123")
    long.isBodyTooLong = true
    #expect(status(long) == .tooLong)
  }

  @Test func eachAnswerForbidsWhatThePageDoesNotNeed() {
    let headers = HTTPResponse(.ok).headers
    let policy = headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
    #expect(!policy.contains("unsafe-"))
    #expect(headers.contains { $0.name == "Referrer-Policy" && $0.value == "no-referrer" })
    #expect(headers.contains { $0.name == "Cache-Control" && $0.value == "no-store" })
  }

  /// A browser does not send a strict cookie with what another site, or a file, has caused: the page itself has to continue.
  @Test func aPageOfAnotherSiteLeadsToThePage() {
    let entry = gate.entry(request("/?token=\(gate.token)", site: "cross-site"))
    #expect(entry.status == .ok)
    #expect(String(decoding: entry.body, as: UTF8.self).contains("content=\"0;url=/\""))
    #expect(entry.headers.contains { $0.name == "Set-Cookie" })
  }

  @Test func aSharedMapIsReadOnlyAndHasItsOwnNames() {
    let gate = RequestGate(
      port: 8123, token: "t", session: String(repeating: "b", count: 32), reach: .network(names: ["192.0.2.7", "boat"]))
    #expect(gate.address == "https://192.0.2.7:8123/?token=t")
    #expect(gate.entry(request("/")).headers.contains { $0.name == "Set-Cookie" && $0.value.hasSuffix("; Secure") })
    #expect(gate.check(request("/events", host: "boat:8123")) == .serve(.events))
    for (method, host, origin) in [
      ("GET", "127.0.0.1:8123", nil), ("GET", "boat:8123", "http://boat:8123"),
      ("DELETE", "boat:8123", "https://boat:8123"),
      ("PUT", "192.0.2.7:8123", "https://192.0.2.7:8123"),
    ] {
      let request = request("/regions/x", method: method, host: host, origin: origin, body: "shape=circle")
      guard case .refuse(.forbidden, _) = gate.check(request) else {
        Issue.record("\(method) \(host)")
        continue
      }
    }
  }
}

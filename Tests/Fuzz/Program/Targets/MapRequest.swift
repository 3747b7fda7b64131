import MapServing

/// Lines of a request to the map, `METHOD TARGET`, `HEADER VALUE…` and a body: whatever they are, nothing is served without the cookie, nor
/// under another name, and nothing is changed without the page's own origin.
func checkMapRequest(_ input: [UInt8]) {
  let secret = "0123456789abcdef0123456789abcdef"
  let gate = RequestGate(port: 8123, token: secret, session: "f" + secret.dropFirst())
  let own = "http://127.0.0.1:8123"
  let lines = input.prefix(9000).split(separator: 0x0A, maxSplits: 8, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  var request = HTTPRequest(method: "GET", target: "/")
  for (index, line) in lines.enumerated() {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let value = words.count == 2 ? words[1] : ""
    switch words[0] {
    case "Host": if request.hosts.count < 2 { request.hosts.append(value) }
    case "Origin": if request.origins.count < 2 { request.origins.append(value) }
    case "Site": request.sites = [value]
    case "Cookie": if request.cookies.count < 2 { request.cookies.append(value) }
    case "Body": request.body = Array(value.utf8)
    default: if index == 0 { (request.method, request.target) = (words[0], value) }
    }
  }
  let verdict = gate.check(request)
  if case .refuse = verdict {} else { precondition(request.hosts.count == 1, "without one Host") }
  var known = request
  (known.hosts, known.cookies) = (["localhost:8123"], ["locationctl-map-8123=f\(secret.dropFirst())"])
  (known.origins, known.sites) = ([own], ["same-origin"])
  if case .serve(let route) = gate.check(known) {
    for (cookies, hosts, origins) in [
      ([], known.hosts, known.origins), (known.cookies, ["evil.example:8123"], known.origins),
    ] {
      var other = known
      (other.cookies, other.hosts, other.origins) = (cookies, hosts, origins)
      guard case .refuse(.forbidden, _) = gate.check(other) else { preconditionFailure("served to a stranger") }
    }
    var foreign = known
    foreign.origins = []
    switch (route, gate.check(foreign)) {
    case (.setRegion, .serve), (.removeRegion, .serve): preconditionFailure("changed without an origin")
    default: break
    }
  }
}

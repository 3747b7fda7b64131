/// Checks one HTTP request for the metrics. Its bytes are untrusted: any process of the machine, or a web page in a
/// browser, may have sent them.
///
/// Only `GET /metrics` (or `GET /`) of HTTP/1.0 or 1.1 for one of this machine's own names is accepted. The check of
/// `Host` excludes web pages whose name was made to resolve to this machine (DNS rebinding).
package struct MetricsRequest {
  /// Maximum size of a request up to the empty line, bytes.
  package static let maximumSize = 8192

  /// The state of the request after the bytes received so far.
  package enum State: Hashable, Sendable {
    /// The request is not complete.
    case incomplete
    /// The metrics are to be sent.
    case accepted
    case refused(Refusal)
  }

  package enum Refusal: Int, Hashable, Sendable {
    case malformed = 400
    case otherHost = 403
    case noSuchPage = 404
    case otherMethod = 405
    case tooLate = 408
    case tooLong = 431

    /// The phrase of RFC 9110, section 15.
    fileprivate var reason: String {
      switch self {
      case .malformed: "Bad Request"
      case .otherHost: "Forbidden"
      case .noSuchPage: "Not Found"
      case .otherMethod: "Method Not Allowed"
      case .tooLate: "Request Timeout"
      case .tooLong: "Request Header Fields Too Large"
      }
    }
  }

  private var bytes: [UInt8] = []
  package private(set) var state = State.incomplete

  package init() {}

  /// Adds received bytes; those after the empty line are ignored.
  package mutating func receive(_ more: some Sequence<UInt8>) {
    guard state == .incomplete else { return }
    for byte in more {
      // A line may end with a line feed alone (RFC 9112, section 2.2).
      bytes.append(byte)
      let isComplete = byte == 0x0A && (bytes.hasSuffix([0x0A, 0x0D, 0x0A]) || bytes.hasSuffix([0x0A, 0x0A]))
      if isComplete {
        state = Self.judge(bytes)
        return
      }
      if bytes.count >= Self.maximumSize {
        state = .refused(.tooLong)
        return
      }
    }
  }

  /// The time has expired, or the connection has ended.
  package mutating func end(isLate: Bool) {
    if state == .incomplete { state = .refused(isLate ? .tooLate : .malformed) }
  }

  private static func judge(_ bytes: [UInt8]) -> State {
    let allowed = bytes.allSatisfy {
      $0 == 0x0A || $0 == 0x0D || $0 == 0x09 || (0x20...0x7E).contains($0) || $0 >= 0x80
    }
    guard allowed else { return .refused(.malformed) }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { return .refused(.malformed) }
    let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
    guard hosts.count == 1, let host = hosts.first?.dropFirst("host:".count) else { return .refused(.malformed) }
    guard isOwn(host.filter { $0 != " " && $0 != "\t" }) else { return .refused(.otherHost) }
    guard words[0] == "GET" else { return .refused(.otherMethod) }
    let path = words[1].prefix { $0 != "?" }
    return path == "/metrics" || path == "/" ? .accepted : .refused(.noSuchPage)
  }

  /// Whether `host` is a name or an address that always means this machine, because no name server can assign it; a
  /// port may follow.
  private static func isOwn(_ host: String) -> Bool {
    let host = host.lowercased()
    for name in ["localhost", "127.0.0.1", "[::1]"] where host.hasPrefix(name) {
      let rest = host.dropFirst(name.count)
      if rest.isEmpty { return true }
      let digits = rest.dropFirst()
      return rest.first == ":" && (1...5).contains(digits.count)
        && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    return false
  }

  /// The whole response; the connection ends after it.
  ///
  /// - Parameter metrics: called only for an accepted request.
  package func response(_ metrics: () -> [UInt8]) -> [UInt8] {
    let (status, type, body): (String, String, [UInt8])
    switch state {
    case .accepted: (status, type, body) = ("200 OK", "text/plain; version=0.0.4; charset=utf-8", metrics())
    case .refused(let refusal):
      status = "\(refusal.rawValue) \(refusal.reason)"
      (type, body) = ("text/plain; charset=utf-8", Array("\(refusal.reason)\n".utf8))
    case .incomplete: return []
    }
    let allow = state == .refused(.otherMethod) ? "Allow: GET\r\n" : ""
    let head = """
      HTTP/1.1 \(status)\r
      Content-Type: \(type)\r
      Content-Length: \(body.count)\r
      \(allow)Cache-Control: no-store\r
      X-Content-Type-Options: nosniff\r
      Connection: close\r
      \r

      """
    return Array(head.utf8) + body
  }
}

extension Array<UInt8> {
  fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
    count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
  }
}

internal import CCurl
internal import Positioning

/// One HTTP request by libcurl, with limits; blocks until it is complete.
enum WebTransfer {
  /// Connection timeout, milliseconds.
  private static let connectPatience = 10_000
  /// Maximum number of redirects: file servers redirect to the file's location; more redirects are a loop.
  private static let mostRedirects = 3
  // libcurl-errors(3).
  private static let (unsupportedProtocol, badAddress, noProxy, noHost, noConnection):
    (Int32, Int32, Int32, Int32, Int32) = (
      1, 3, 5, 6, 7
    )
  private static let (timedOut, noSecurity, tooManyRedirects, notTrusted): (Int32, Int32, Int32, Int32) = (
    28, 35, 47, 60
  )
  private static let (badAuthority, tooLong): (Int32, Int32) = (77, 63)

  /// - Parameter agent: the program's name and version, sent to servers as the user agent.
  static func perform(_ order: FetchRequest, agent: String) -> FetchResponse {
    guard let transfer = unsafe ccurl_open() else { return .failed(.noLibrary) }
    defer { unsafe ccurl_close(transfer) }
    // A request that began with HTTPS must stay encrypted after a redirect.
    let protocols = order.address.isSecret ? CCURL_HTTPS : CCURL_HTTP | CCURL_HTTPS
    let isQuestion = order.purpose == .position
    let numbers: [(Int, Int)] = [
      (CCURL_NOSIGNAL, 1), (CCURL_PROTOCOLS, protocols), (CCURL_REDIR_PROTOCOLS, protocols),
      // The observed access points and queries for places are sent only to the configured server, so these requests follow no
      // redirects.
      (CCURL_FOLLOWLOCATION, isQuestion || order.purpose == .place ? 0 : 1), (CCURL_MAXREDIRS, mostRedirects),
      (CCURL_TIMEOUT_MS, Int(order.purpose.patience.components.seconds) * 1000),
      (CCURL_CONNECTTIMEOUT_MS, connectPatience), (CCURL_POST, isQuestion ? 1 : 0), (CCURL_FILETIME, 1),
    ]
    var code: Int32 = 0
    for (option, value) in numbers where code == 0 {
      code = unsafe ccurl_set_number(transfer, Int32(option), value)
    }
    guard let agent = Self.agent(agent, for: order) else { return .failed(.badAddress) }
    for (option, value) in [(CCURL_URL, order.address.text), (CCURL_USERAGENT, agent)] where code == 0 {
      code = unsafe ccurl_set_text(transfer, Int32(option), value)
    }
    switch order.purpose {
    case .position, .tile: break
    case .place: if code == 0 { code = unsafe ccurl_add_header(transfer, "Accept: application/json") }
    case .fileSize: if code == 0 { code = unsafe ccurl_set_number(transfer, Int32(CCURL_NOBODY), 1) }
    case .filePart:
      let range = order.body
      // Digits, one hyphen and digits.
      guard range.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).count == 2,
        range.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") })
      else { return .failed(.badAddress) }
      if code == 0 {
        code = unsafe ccurl_set_text(transfer, Int32(CCURL_RANGE), String(decoding: range, as: UTF8.self))
      }
    }
    guard code == 0 else { return .failed(.transfer(code: code)) }
    return isQuestion ? unsafe ask(order, transfer) : unsafe run(order, transfer)
  }

  /// The user agent, with the contact of the person who asks a server of places; `nil` if the contact has characters that end the comment
  /// or the header.
  private static func agent(_ agent: String, for order: FetchRequest) -> String? {
    guard order.purpose == .place else { return agent }
    let isPlain = order.body.allSatisfy {
      (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")")
    }
    guard !order.body.isEmpty, isPlain else { return nil }
    return "\(agent) (\(String(decoding: order.body, as: UTF8.self)))"
  }

  private static func ask(_ order: FetchRequest, _ transfer: OpaquePointer) -> FetchResponse {
    // Disables `Expect: 100-continue`: such a small body does not justify a round trip (RFC 9110, 10.1.1).
    for line in ["Content-Type: application/json", "Accept: application/json", "Expect:"] {
      let code = unsafe ccurl_add_header(transfer, line)
      guard code == 0 else { return .failed(.transfer(code: code)) }
    }
    return unsafe order.body.withUnsafeBufferPointer { body in
      let code = unsafe ccurl_set_body(transfer, body.baseAddress, body.count)
      return code == 0 ? unsafe run(order, transfer) : .failed(.transfer(code: code))
    }
  }

  private static func run(_ order: FetchRequest, _ transfer: OpaquePointer) -> FetchResponse {
    let isPart = order.purpose == .filePart
    var body = [UInt8](repeating: 0, count: order.purpose.longestAnswer - (isPart ? 8 : 0))
    var size = 0
    let code = unsafe body.withUnsafeMutableBufferPointer {
      unsafe ccurl_perform(transfer, $0.baseAddress, $0.count, &size)
    }
    guard code == 0 else { return .failed(problem(code)) }
    let status = Int(unsafe ccurl_status(transfer))
    // Requests for a position follow no redirects, and libcurl does not follow an answer without a `Location`. Forbidden redirects have
    // failed above.
    if (300..<400).contains(status) { return .failed(.redirected) }
    guard (100..<600).contains(status) else { return .failed(.nonsense) }
    let seconds = unsafe ccurl_retry_after(transfer)
    body.removeSubrange(size...)
    let time = bytes(unsafe ccurl_file_time(transfer))
    switch order.purpose {
    case .position, .tile, .place: break
    case .fileSize: body = bytes(unsafe ccurl_content_length(transfer)) + time
    case .filePart: body = time + body
    }
    return .answered(
      WebResponse(status: status, retryAfter: seconds > 0 ? .seconds(min(seconds, 1 << 30)) : nil, body: body))
  }

  /// Little-endian.
  private static func bytes(_ number: Int64) -> [UInt8] {
    stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
  }

  private static func problem(_ code: Int32) -> FetchProblem {
    switch code {
    case noHost, noProxy: .noSuchHost
    case noConnection: .noConnection
    case noSecurity, notTrusted, badAuthority: .notTrusted
    case timedOut: .tooLate
    case tooLong, Int32(CCURL_NO_ROOM): .tooLong
    // The original address was validated before; therefore these errors come from a redirect.
    case unsupportedProtocol, tooManyRedirects, Int32(CCURL_SENT_INSIDE): .redirected
    case badAddress: .badAddress
    default: .transfer(code: code)
    }
  }
}

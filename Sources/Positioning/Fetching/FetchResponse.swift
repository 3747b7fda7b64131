import Geodesy

/// The result of a web request.
package enum FetchResponse: Hashable, Sendable {
  case answered(WebResponse)
  case failed(FetchProblem)
}

/// A server's answer.
package struct WebResponse: Hashable, Sendable {
  /// The HTTP status, 100…599.
  package var status: Int
  /// The wait that the server asks for (RFC 9110, 10.2.3); `nil`: none.
  package var retryAfter: Duration?
  package var body: [UInt8]

  package init(status: Int, retryAfter: Duration? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }

  package var isSuccess: Bool { (200..<300).contains(status) }
}

/// The fetcher's message.
///
/// ```
/// 0   version: 1
/// 1   0 for an answer, else the problem's code
/// 2   status, or the problem's number, 4 bytes
/// 6   seconds to wait before the next request, 4 bytes; all ones: none stated
/// 10  length of the body, bytes, 4 bytes
/// 14  body
/// ```
/// Integers are little-endian.
extension FetchResponse {
  private static let version: UInt8 = 1
  package static let headSize = 14
  /// A longer wait counts as this one.
  private static let longestWait: UInt32 = 7 * 86_400

  package var bytes: [UInt8] {
    switch self {
    case .answered(let answer):
      let seconds = answer.retryAfter.map { UInt32(clamping: min($0.components.seconds, Int64(Self.longestWait))) }
      return [Self.version, 0] + LittleEndian.bytes(UInt32(clamping: answer.status))
        + LittleEndian.bytes(seconds ?? .max) + LittleEndian.bytes(UInt32(answer.body.count)) + answer.body
    case .failed(let problem):
      return [Self.version, problem.code] + LittleEndian.bytes(UInt32(bitPattern: problem.number))
        + LittleEndian.bytes(UInt32.max) + LittleEndian.bytes(0 as UInt32)
    }
  }

  /// The state of a partly received reply.
  package enum Reception: Hashable, Sendable {
    case incomplete
    case reply(FetchResponse)
    /// The bytes can never become a reply.
    case foreign
  }

  package static func read(_ bytes: Span<UInt8>, to purpose: FetchRequest.Purpose) -> Reception {
    if bytes.count > 0, bytes[0] != version { return .foreign }
    guard bytes.count >= headSize else { return .incomplete }
    let number = LittleEndian.number(bytes, at: 2, size: 4)
    let wait = LittleEndian.number(bytes, at: 6, size: 4)
    let length = Int(LittleEndian.number(bytes, at: 10, size: 4))
    guard length <= purpose.longestAnswer, bytes.count <= headSize + length else { return .foreign }
    guard bytes.count == headSize + length else { return .incomplete }
    guard bytes[1] == 0 else {
      guard length == 0, let problem = FetchProblem(code: bytes[1], number: Int32(bitPattern: number)) else {
        return .foreign
      }
      return .reply(.failed(problem))
    }
    guard (100..<600).contains(number) else { return .foreign }
    return .reply(
      .answered(
        WebResponse(
          status: Int(number), retryAfter: wait == .max ? nil : .seconds(Int64(min(wait, longestWait))),
          body: LittleEndian.bytes(bytes, at: headSize, size: length))))
  }
}

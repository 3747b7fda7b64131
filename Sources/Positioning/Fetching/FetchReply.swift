/// What came of a request of the web.
package enum FetchReply: Hashable, Sendable {
  case answered(WebAnswer)
  case failed(FetchProblem)
}

/// What a server has answered.
package struct WebAnswer: Hashable, Sendable {
  /// HTTP's, 100…599.
  package var status: Int
  /// For how long it does not want to be asked (RFC 9110, 10.2.3); `nil`: it does not say.
  package var retryAfter: Duration?
  package var body: [UInt8]

  package init(status: Int, retryAfter: Duration? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }

  package var isSuccess: Bool { (200..<300).contains(status) }
}

import Geodesy

/// How long a server is left alone: half a minute after a failure, twice as long after each further one, up to an hour; longer
/// where it says so itself.
struct FetchPause: Sendable {
  private static let first: Duration = .seconds(30)
  private static let longest: Duration = .seconds(3600)
  /// 30 s · 2⁷ is more than an hour.
  private static let mostFailures = 8
  /// A server that wants more than that is asked after a day.
  private static let longestAsked: Duration = .seconds(86_400)

  private(set) var notBefore: Instant?
  private var failures = 0

  /// Whether it may be asked.
  func isOver(at now: Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

  /// It has answered as it should.
  mutating func succeeded() { self = FetchPause() }

  /// It has answered with something else than it should, or not at all.
  mutating func failed(_ reply: FetchReply, at now: Instant) {
    switch reply {
    case .failed(let problem): failed(at: now, isLasting: problem == .noLibrary)
    case .answered(let answer):
      // Of an error of the server's own, or of too much (RFC 9110, 15.6; RFC 6585, 4), there will be an end; a key that is wrong
      // stays so.
      let isPassing = answer.status == 429 || answer.status >= 500
      failed(at: now, isLasting: !isPassing, retryAfter: answer.retryAfter)
    }
  }

  /// It has not answered as it should.
  ///
  /// - Parameters:
  ///   - isLasting: it will not change by itself soon.
  ///   - retryAfter: what it says of itself.
  mutating func failed(at now: Instant, isLasting: Bool = false, retryAfter: Duration? = nil) {
    failures = isLasting ? Self.mostFailures : min(failures + 1, Self.mostFailures)
    let own = min(Self.longest, Self.first * (1 << (failures - 1)))
    notBefore = now + max(own, min(retryAfter ?? .zero, Self.longestAsked))
  }
}

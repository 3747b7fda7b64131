import Geodesy

/// Why something was not had from outside.
package enum FetchProblem: Error, Hashable, Sendable {
  /// What is configured is no address.
  case badAddress
  /// There is no libcurl.
  case noLibrary
  /// Neither the fetcher's unit nor a program to start as one.
  case noFetcher
  /// The fetcher has ended, or told what is no reply.
  case fetcherFailed
  /// Nobody knows a machine of that name.
  case noSuchHost
  /// It does not take a connection, or there is no network.
  case noConnection
  /// It is not who it should be.
  case notTrusted
  /// It did not answer in time.
  case tooLate
  /// More than any right answer has.
  case tooLong
  /// It sends on to somewhere else.
  case redirected
  /// Something else went wrong on the way: libcurl's number (libcurl-errors(3)).
  case transfer(code: Int32)
  /// It refuses: HTTP's status.
  case refused(status: Int)
  /// What it says is not what it should say.
  case nonsense
  /// A tile that is damaged, or another one than was asked for.
  case badTile
  /// A folder or a file that this machine does not read; `errno`.
  case unreadable(errno: Int32)
}

/// As a number between processes; never changed.
extension FetchProblem {
  /// 1…; 0 is none.
  package var code: UInt8 {
    switch self {
    case .badAddress: 1
    case .noLibrary: 2
    case .noFetcher: 3
    case .fetcherFailed: 4
    case .noSuchHost: 5
    case .noConnection: 6
    case .notTrusted: 7
    case .tooLate: 8
    case .tooLong: 9
    case .redirected: 10
    case .transfer: 11
    case .refused: 12
    case .nonsense: 13
    case .badTile: 14
    case .unreadable: 15
    }
  }

  /// libcurl's error, HTTP's status or `errno`; 0 where there is none.
  package var number: Int32 {
    switch self {
    case .transfer(let code): code
    case .refused(let status): Int32(clamping: status)
    case .unreadable(let errno): errno
    case .badAddress, .noLibrary, .noFetcher, .fetcherFailed, .noSuchHost, .noConnection, .notTrusted, .tooLate,
      .tooLong, .redirected, .nonsense, .badTile:
      0
    }
  }

  /// `nil` for a number that is no problem's.
  package init?(code: UInt8, number: Int32) {
    switch code {
    case 1: self = .badAddress
    case 2: self = .noLibrary
    case 3: self = .noFetcher
    case 4: self = .fetcherFailed
    case 5: self = .noSuchHost
    case 6: self = .noConnection
    case 7: self = .notTrusted
    case 8: self = .tooLate
    case 9: self = .tooLong
    case 10: self = .redirected
    case 11: self = .transfer(code: number)
    case 12: self = .refused(status: Int(number))
    case 13: self = .nonsense
    case 14: self = .badTile
    case 15: self = .unreadable(errno: number)
    default: return nil
    }
  }
}

/// In words.
extension FetchProblem {
  /// The cause, and what a person can do about it, to stand behind "The provider …" or "Tiles …".
  package var sentence: String {
    switch self {
    case .badAddress: "the setting is not an http(s) address or, for tiles, a folder: see locationd.conf(5)"
    case .noLibrary: "libcurl is not installed: install libcurl4"
    case .noFetcher: "the fetch helper is not running: run 'sudo systemctl start location-fetch.socket'"
    case .fetcherFailed: "the fetch helper has failed: see 'journalctl -u location-fetch'"
    case .noSuchHost: "the host name is unknown: check the address and the network"
    case .noConnection: "cannot connect: check the network, and that location-fetch.socket is running"
    case .notTrusted:
      "its certificate is not trusted: check the address, this machine's clock, and ca-certificates"
    case .tooLate: "it did not answer in time: check the network"
    case .tooLong: "its answer is too long: check the address"
    case .redirected: "it redirects to another address: set that address instead"
    case .transfer(let code): "the transfer failed (libcurl error \(code)): check the network"
    case .refused(429): "it was asked too often (HTTP 429), and is not asked again for a while"
    case .refused(let status): "it refused the request (HTTP \(status)): check the address, and the key if it needs one"
    case .nonsense: "its answer is invalid: check the address"
    case .badTile: "a tile was damaged or was not the requested one; it is fetched again later"
    case .unreadable(let errno): "the folder cannot be read (error \(errno)): set a folder that locationd may read"
    }
  }
}

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

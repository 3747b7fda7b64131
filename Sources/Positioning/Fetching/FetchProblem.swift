package import Geodesy

/// Why a request to the network failed.
package enum FetchProblem: Error, Hashable, Sendable {
  /// The configured address is invalid.
  case badAddress
  /// libcurl is not installed.
  case noLibrary
  /// There is neither the fetcher's unit nor a program to start as the fetcher.
  case noFetcher
  /// The fetcher exited, or sent an invalid reply.
  case fetcherFailed
  /// The host name does not resolve.
  case noSuchHost
  /// The host refuses the connection, or there is no network.
  case noConnection
  /// The server's identity could not be verified.
  case notTrusted
  /// The server did not answer in time.
  case tooLate
  /// The answer is longer than any valid one.
  case tooLong
  /// The server redirects to another address.
  case redirected
  /// Another error of the transfer: libcurl's number (libcurl-errors(3)).
  case transfer(code: Int32)
  /// The server refuses: the HTTP status.
  case refused(status: Int)
  /// The answer is malformed.
  case nonsense
  /// The tile is damaged, or not the requested one.
  case badTile
  /// This machine cannot read the folder or file; `errno`.
  case unreadable(errno: Int32)
}

/// The number of a problem between processes; never changed.
extension FetchProblem {
  /// 1…15; 0 means no problem.
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

  /// libcurl's error, the HTTP status or `errno`; 0 if there is none.
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

  /// `nil` for a number that is not a problem's.
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

/// Text for users.
extension FetchProblem {
  /// The cause, and what a person can do about it, to follow "The provider …" or "Tiles …".
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

/// How long to wait before the next request to a server: half a minute after a failure, twice as long after each further one,
/// up to an hour; longer if the server asks for it.
package struct FetchPause: Sendable {
  private static let first: Duration = .seconds(30)
  private static let longest: Duration = .seconds(3600)
  /// 30 s · 2⁷ is more than an hour.
  private static let mostFailures = 8
  /// A server that asks for a longer wait is asked again after a day.
  private static let longestAsked: Duration = .seconds(86_400)

  private(set) var notBefore: Instant?
  private var failures = 0

  package init() {}

  /// Whether the server may be asked.
  package func isOver(at now: Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

  /// The server gave a valid answer.
  package mutating func succeeded() { self = FetchPause() }

  /// The server gave an unexpected answer, or none.
  package mutating func failed(_ reply: FetchResponse, at now: Instant) {
    switch reply {
    case .failed(let problem): failed(at: now, isLasting: problem == .noLibrary)
    case .answered(let answer):
      // A server error, or too many requests, is temporary (RFC 9110, 15.6; RFC 6585, 4); a wrong key stays wrong.
      let isPassing = answer.status == 429 || answer.status >= 500
      failed(at: now, isLasting: !isPassing, retryAfter: answer.retryAfter)
    }
  }

  /// Extends the pause after a failure.
  ///
  /// - Parameters:
  ///   - isLasting: the failure will not go away soon.
  ///   - retryAfter: the wait that the server asks for.
  mutating func failed(at now: Instant, isLasting: Bool = false, retryAfter: Duration? = nil) {
    failures = isLasting ? Self.mostFailures : min(failures + 1, Self.mostFailures)
    let own = min(Self.longest, Self.first * (1 << (failures - 1)))
    notBefore = now + max(own, min(retryAfter ?? .zero, Self.longestAsked))
  }
}

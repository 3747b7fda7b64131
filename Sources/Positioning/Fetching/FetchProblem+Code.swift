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

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

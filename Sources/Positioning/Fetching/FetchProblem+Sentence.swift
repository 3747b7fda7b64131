/// In words.
extension FetchProblem {
  /// The cause, and what a person can do about it, to stand behind "The provider …" or "Tiles …".
  package var sentence: String {
    switch self {
    case .badAddress: "what is configured is neither an http(s) address nor, for tiles, a folder: see locationd.conf(5)"
    case .noLibrary: "libcurl is not there: install libcurl4"
    case .noFetcher: "there is nobody to fetch: 'systemctl start location-fetch.socket'"
    case .fetcherFailed: "the fetcher has failed: see 'journalctl -u location-fetch'"
    case .noSuchHost: "nobody knows that name: check the address, and the network"
    case .noConnection: "no connection: check the network, and that location-fetch.socket is started"
    case .notTrusted:
      "its certificate is not to be trusted: check the address, this machine's clock, and ca-certificates"
    case .tooLate: "no answer in time: check the network"
    case .tooLong: "the answer is longer than any right one: check the address"
    case .redirected: "it sends on to somewhere else: give the address where it ends"
    case .transfer(let code): "the transfer failed (libcurl's error \(code))"
    case .refused(429): "it was asked too often, and is left alone for a while"
    case .refused(let status): "it refuses (HTTP \(status)): check the address, and its key where it wants one"
    case .nonsense: "what it answers makes no sense: check the address"
    case .badTile: "a tile was damaged, or another one than was asked for; it is fetched again later"
    case .unreadable(let errno): "the folder cannot be read (error \(errno)): give one that locationd may read"
    }
  }
}

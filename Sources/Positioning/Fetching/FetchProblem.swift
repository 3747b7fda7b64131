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

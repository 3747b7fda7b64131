import LocationIPC

extension NetworkFailure {
  /// The problem and what to do, to follow the name of the source.
  var sentence: String {
    switch self {
    case .noSuchHost: "has an unknown host name: check the address and the network"
    case .unreachable: "cannot be reached: check the address and the network, and whether the other program runs"
    case .notTrusted: "has a certificate that is not trusted: check the address and this machine's clock"
    case .tooLate: "does not accept the connection in time: check the network"
    case .closed: "closed the connection: check the other program"
    case .silent: "sends nothing: check the other program"
    }
  }
}

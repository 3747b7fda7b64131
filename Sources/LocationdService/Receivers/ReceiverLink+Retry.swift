import Geodesy
import LocationIPC

/// When a port that could not be opened, or vanished, is tried again.
extension ReceiverLink {
  /// After this many failed attempts in a row, a port that fails again is given up, unless it does not exist or was unplugged.
  private static let patience = 5

  /// The port could not be opened, or closed itself. It is tried again after 250 ms, doubling up to 1 s, so that data of a receiver
  /// is received again within two seconds of plugging it in. A port that exists and fails too often in a row (`patience`) is given
  /// up.
  mutating func failedToOpen(_ problem: OpenProblem, at now: Instant) {
    let isMissing = problem == .cannotOpen(.doesNotExist) || problem == .cannotOpen(.vanished)
    // The other side of a connection may come back at any time; the port driver lets the delay grow.
    var isElsewhere = false
    if case .cannotOpen(.notConnected) = problem { isElsewhere = true }
    let isGivenUp =
      !isElsewhere && failures >= Self.patience && !(isMissing && hasBeenOpen) && problem != .cannotOpen(.doesNotExist)
    let delay: Duration = .milliseconds(250 << min(failures, 2))
    port = .failed(problem, retryAt: isGivenUp ? nil : now + delay)
    failures += 1
    state = nil
  }
}

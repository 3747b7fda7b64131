import LinuxIO

/// Why a user's agent cannot be reached.
package enum AgentProblem: Error, Hashable, Sendable {
  /// Its socket is not there, and this process may not start it.
  case noSocket
  /// This user may not use its socket, or the system refused: the kernel's error number.
  case system(errno: Int32)
  /// It could not be started as that user: the kernel's error number.
  case cannotStart(errno: Int32)
  /// That user has no account here.
  case noAccount
  /// It is there, and has gone each time before it said how anything ended.
  case noAnswer

  /// For the person in charge: what is wrong, and what to do.
  package func sentence(userID: UInt32) -> String {
    switch self {
    case .noSocket:
      "User \(userID)'s commands cannot be run: 'sudo systemctl enable --now location-agent@\(userID).socket'."
    case .system(let errno):
      "User \(userID)'s agent cannot be reached (\(ErrorWords.of(errno))): see 'systemctl status location-agent@\(userID).socket'."
    case .cannotStart(let errno):
      "User \(userID)'s agent cannot be started (\(ErrorWords.of(errno))): install util-linux, or start the service by systemd."
    case .noAnswer:
      "User \(userID)'s agent gives no answer, and events wait: see 'journalctl -u location-agent@\(userID)'."
    case .noAccount: "User \(userID) has no account here, and nothing is run as that user."
    }
  }
}

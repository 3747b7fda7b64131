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
      "Cannot run the commands of user \(userID): run 'sudo systemctl enable --now location-agent@\(userID).socket'."
    case .system(let errno):
      "Cannot connect to the agent of user \(userID) (\(ErrorWords.of(errno))): see 'systemctl status location-agent@\(userID).socket'."
    case .cannotStart(let errno):
      "Cannot start the agent of user \(userID) (\(ErrorWords.of(errno))): install util-linux, or start the service with systemd."
    case .noAnswer:
      "The agent of user \(userID) does not answer, and events are waiting: see 'journalctl -u location-agent@\(userID)'."
    case .noAccount: "User \(userID) has no account on this machine, and no commands are run as that user."
    }
  }
}

import LinuxIO

/// Why a user's agent cannot be reached.
package enum AgentProblem: Error, Hashable, Sendable {
  /// The agent's socket does not exist, and this process may not start an agent.
  case noSocket
  /// This process has no access to the socket, or the connection failed: the kernel's error number.
  case system(errno: Int32)
  /// The agent could not be started as that user: the kernel's error number.
  case cannotStart(errno: Int32)
  /// That user ID has no account on this system.
  case noAccount
  /// The agent accepts connections, but each time the connection ends before the agent has reported any result.
  case noAnswer

  /// The problem and its remedy, for the administrator.
  package func sentence(userID: UInt32) -> String {
    switch self {
    case .noSocket:
      "Cannot run the commands of user \(userID): run 'sudo systemctl enable --now location-agent@\(userID).socket'."
    case .system(let errno):
      "Cannot connect to the agent of user \(userID) (\(ErrorDescription.of(errno))): see 'systemctl status location-agent@\(userID).socket'."
    case .cannotStart(let errno):
      "Cannot start the agent of user \(userID) (\(ErrorDescription.of(errno))): install util-linux, or start the service with systemd."
    case .noAnswer:
      "The agent of user \(userID) does not answer, and events are waiting: see 'journalctl -u location-agent@\(userID)'."
    case .noAccount: "User \(userID) has no account on this machine, and no commands are run as that user."
    }
  }
}

package import LinuxIO

/// The users who have something run, each an empty file of a folder of the service: `location-agents.service` starts the sockets of
/// their agents. It trusts none of the names.
package struct AgentRegistry: Sendable {
  private let folder: String

  /// - Parameter stateFolder: the service's.
  package init(stateFolder: String) { folder = "\(stateFolder)/agents" }

  /// To be called when a user has a first command, or a notification.
  package func note(_ userID: UInt32) throws(SystemError) {
    try PrivateFolder.make(folder)
    try FileChange.makePrivate(path(userID))
    try PrivateFolder.synchronize(folder)
  }

  /// To be called when a user has none any more. Their agent's socket goes with the next start of the machine.
  package func forget(_ userID: UInt32) throws(SystemError) { try FileChange.remove(path(userID)) }

  private func path(_ userID: UInt32) -> String { "\(folder)/\(userID)" }
}

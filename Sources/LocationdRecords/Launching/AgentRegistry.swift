package import LinuxIO

/// The users who have saved commands or notifications, each as an empty file in a folder of the service.
/// `location-agents.service` starts the sockets of their agents and validates every name.
package struct AgentRegistry: Sendable {
  private let folder: String

  /// - Parameter stateFolder: the service's state folder.
  package init(stateFolder: String) { folder = "\(stateFolder)/agents" }

  /// Call this when a user saves the first command or notification.
  package func note(_ userID: UInt32) throws(SystemError) {
    try PrivateFolder.make(folder)
    try FileChange.makePrivate(path(userID))
    try PrivateFolder.synchronize(folder)
  }

  private func path(_ userID: UInt32) -> String { "\(folder)/\(userID)" }
}

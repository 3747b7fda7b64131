import LinuxIO
import LocationStore

/// The environment in which a user's commands run. Commands receive no other variables than these and those of their event.
package struct AgentEnvironment: Sendable {
  let home: String
  /// `NAME=VALUE`.
  let variables: [String]
  let userID: UInt32
  /// User IDs that may send requests: the service, root and the user.
  let masters: Set<UInt32>

  /// The environment from this process's variables, which its parent set from the user's account. Session variables are
  /// absent because commands run without a session.
  package static var ofProcess: AgentEnvironment {
    let own = ProcessEnvironment.userID
    let service = AccountFiles(SystemFolders().accounts).number(ofUser: "locationd")
    return AgentEnvironment(
      ProcessEnvironment.value, userID: own, masters: Set([0, own, service].compactMap(\.self)))
  }

  package init(_ value: (String) -> String?, userID: UInt32, masters: Set<UInt32>) {
    home = value("HOME") ?? ""
    // A relative folder would be resolved in the working directory of the command.
    let folders = (value("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    let path = folders.isEmpty ? "/usr/local/bin:/usr/bin:/bin" : folders.joined(separator: ":")
    let others = ["HOME", "USER", "LOGNAME", "SHELL", "LANG"].compactMap { name in value(name).map { "\(name)=\($0)" } }
    variables = ["PATH=\(path)"] + others
    (self.userID, self.masters) = (userID, masters)
  }

  var commandStore: CommandStore { CommandStore(home: home) }
}

import LinuxIO
import LocationStore

/// Where a user's commands run: all that they see of the machine's settings.
package struct AgentSurroundings: Sendable {
  let home: String
  /// `NAME=VALUE`.
  let variables: [String]
  let userID: UInt32
  /// Who may give orders: the service, root and the user.
  let masters: Set<UInt32>

  /// Those of this process, which whoever started it set by the user's account. A session's are not among them: commands run without
  /// one.
  package static var ofProcess: AgentSurroundings {
    let own = ProcessEnvironment.userID
    let service = AccountFiles(SystemFolders().accounts).number(ofUser: "locationd")
    return AgentSurroundings(
      ProcessEnvironment.value, userID: own, masters: Set([0, own, service].compactMap(\.self)))
  }

  package init(_ value: (String) -> String?, userID: UInt32, masters: Set<UInt32>) {
    home = value("HOME") ?? ""
    // A folder that is not named from the root up would be one of the command's own choosing.
    let folders = (value("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    let path = folders.isEmpty ? "/usr/local/bin:/usr/bin:/bin" : folders.joined(separator: ":")
    let others = ["HOME", "USER", "LOGNAME", "SHELL", "LANG"].compactMap { name in value(name).map { "\(name)=\($0)" } }
    variables = ["PATH=\(path)"] + others
    (self.userID, self.masters) = (userID, masters)
  }

  var book: CommandBook { CommandBook(home: home) }
}

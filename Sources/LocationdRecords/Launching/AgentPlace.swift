package import LinuxDevices
package import LinuxIO

/// Where the agents of users are, and how one is started where no unit does that.
package struct AgentPlace: Sendable {
  /// The folder of their sockets, each of which is named by its user's number.
  package var folder: String
  /// What a process starts as its own user's agent; `nil`: nothing.
  package var program: HelperProgram?
  /// Whether there is systemd, which starts those of others (sd_booted(3)).
  package var hasUnits: Bool
  package var accounts: AccountFiles

  /// Where `location-agent@.socket` makes them.
  package static let systemFolder = "/run/location-agent"

  package init(
    folder: String = systemFolder, program: HelperProgram? = .own(AgentLink.argument), hasUnits: Bool = bootedUnits,
    accounts: AccountFiles = AccountFiles(SystemFolders().accounts)
  ) {
    (self.folder, self.program, self.hasUnits, self.accounts) = (folder, program, hasUnits, accounts)
  }

  /// As the environment says.
  package static var ofEnvironment: AgentPlace { AgentPlace(folder: ServiceVariables.agents ?? systemFolder) }

  package static var bootedUnits: Bool { (try? FileStatus.expectFolder("/run/systemd/system")) != nil }

  func socket(of user: UInt32) -> String { "\(folder)/\(user)" }

  /// What this process may start as that user's agent, and whether its complaints go where this process's do.
  ///
  /// - Parameter own: the user of this process.
  package func start(for user: UInt32, own: UInt32) throws(AgentProblem) -> (program: HelperProgram, sharesErrors: Bool)
  {
    guard let program else { throw .noSocket }
    if user == own { return (program, true) }
    guard own == 0, !hasUnits else { throw .noSocket }
    guard let group = accounts.primaryGroup(of: user) else { throw .noAccount }
    // By an argument vector, and without anything of root's: no shell reads it, and setpriv(1) gives up all rights before the agent
    // begins. Under a name of its own, which setpriv cannot give it: that of the link beside this program.
    let path = program.path == "/proc/self/exe" ? Self.sibling : program.path
    let identity = ["--reuid=\(user)", "--regid=\(group)", "--init-groups", "--reset-env"]
    let limits = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    let arguments = identity + limits + ["--", path] + program.arguments
    // Root's terminal is nothing for another user, who could read it.
    return (HelperProgram(path: "setpriv", name: "setpriv", arguments: arguments), false)
  }

  private static var sibling: String {
    let folder = ProcessEnvironment.executable.map { PrivateFolder.parent(of: $0) }
    return folder.map { "\($0)/locationd" } ?? "locationd"
  }
}

package import LinuxDevices
package import LinuxIO

/// Where users' agents listen, and how an agent is started if no systemd unit starts it.
package struct AgentEndpoint: Sendable {
  /// The folder of the agents' sockets, each named by its user ID.
  package var folder: String
  /// The program that this process starts as an agent; `nil` for none.
  package var program: HelperProgram?
  /// Whether systemd is running, which starts other users' agents (sd_booted(3)).
  package var hasUnits: Bool
  package var accounts: AccountFiles

  /// The folder in which `location-agent@.socket` creates the sockets.
  package static let systemFolder = "/run/location-agent"

  package init(
    folder: String = systemFolder, program: HelperProgram? = .own(AgentLink.argument), hasUnits: Bool = bootedUnits,
    accounts: AccountFiles = AccountFiles(SystemFolders().accounts)
  ) {
    (self.folder, self.program, self.hasUnits, self.accounts) = (folder, program, hasUnits, accounts)
  }

  package static var bootedUnits: Bool { (try? FileStatus.expectFolder("/run/systemd/system")) != nil }

  func socket(of user: UInt32) -> String { "\(folder)/\(user)" }

  /// The program that this process may start as that user's agent, and whether the agent shares this process's standard
  /// error.
  ///
  /// - Parameter own: the user ID of this process.
  package func start(for user: UInt32, own: UInt32) throws(AgentProblem) -> (program: HelperProgram, sharesErrors: Bool)
  {
    guard let program else { throw .noSocket }
    if user == own { return (program, true) }
    guard own == 0, !hasUnits else { throw .noSocket }
    guard let group = accounts.primaryGroup(of: user) else { throw .noAccount }
    // An argument vector, without root's environment: no shell parses it, and setpriv(1) drops all privileges before
    // the agent starts. setpriv cannot set the name of a process; therefore the path is that of the link next to this
    // program.
    let path = program.path == "/proc/self/exe" ? Self.sibling : program.path
    let identity = ["--reuid=\(user)", "--regid=\(group)", "--init-groups", "--reset-env"]
    let limits = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    let arguments = identity + limits + ["--", path] + program.arguments
    // A process of another user must not share root's terminal, because it could read from the terminal.
    return (HelperProgram(path: "setpriv", name: "setpriv", arguments: arguments), false)
  }

  private static var sibling: String {
    let folder = ProcessEnvironment.executable.map { PrivateFolder.parent(of: $0) }
    return folder.map { "\($0)/locationd" } ?? "locationd"
  }
}

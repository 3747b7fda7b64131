/// Where the kernel, logind and the machine's accounts are read; another place for what was recorded.
package struct SystemFolders: Hashable, Sendable {
  /// proc(5).
  package var processes = "/proc"
  /// What logind and elogind write: `sessions/ID` and `users/UID`.
  package var logins = "/run/systemd"
  /// passwd(5), group(5).
  package var accounts = "/etc"

  package init(processes: String = "/proc", logins: String = "/run/systemd", accounts: String = "/etc") {
    self.processes = processes
    self.logins = logins
    self.accounts = accounts
  }
}

/// Where a program keeps what it remembers.
package enum Directories {
  /// The folder for state; `nil` where the environment names none and the user has no home.
  package static func state(environment: [String: String], isRoot: Bool) -> String? {
    if let chosen = environment["LOCATIOND_STATE"], !chosen.isEmpty { return chosen }
    if isRoot { return "/var/lib/locationd" }
    // XDG Base Directory Specification: a relative path is to be ignored.
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/locationd" }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/locationd" }
    return nil
  }
}

/// Where a program keeps what it remembers, and where the service is met. `environment` gives the value of a variable, `nil`
/// where it is not set.
package enum Directories {
  /// Where a client looks for the service's socket, in this order.
  package static func sockets(environment: (String) -> String?) -> [String] {
    if let chosen = environment("LOCATIOND_SOCKET"), !chosen.isEmpty { return [chosen] }
    return [systemSocket] + [userSocket(environment)].compactMap(\.self)
  }

  /// Where the service makes its socket; `nil` where the environment names no place for a user's own.
  package static func ownSocket(environment: (String) -> String?, isRoot: Bool) -> String? {
    if let chosen = environment("LOCATIOND_SOCKET"), !chosen.isEmpty { return chosen }
    return isRoot ? systemSocket : userSocket(environment)
  }

  private static let systemSocket = "/run/locationd/socket"

  private static func userSocket(_ environment: (String) -> String?) -> String? {
    guard let base = environment("XDG_RUNTIME_DIR"), base.hasPrefix("/") else { return nil }
    return base + "/locationd/socket"
  }

  /// The folder for state; `nil` where the environment names none and the user has no home.
  package static func state(environment: (String) -> String?, isRoot: Bool) -> String? {
    if let chosen = environment("LOCATIOND_STATE"), !chosen.isEmpty { return chosen }
    if isRoot { return "/var/lib/locationd" }
    // XDG Base Directory Specification: a relative path is to be ignored.
    if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/locationd" }
    if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state/locationd" }
    return nil
  }
}

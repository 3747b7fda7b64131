import Glibc

/// What this process was given: its environment variables, and whether it is the super-user.
package enum ProcessEnvironment {
  /// The value of a variable; `nil` where it is not set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The variables that decide where state is kept.
  package static var stateVariables: [String: String] {
    var variables: [String: String] = [:]
    for name in ["LOCATIOND_STATE", "XDG_STATE_HOME", "HOME"] { variables[name] = value(name) }
    return variables
  }

  package static var isRoot: Bool { geteuid() == 0 }

  /// Where a lock of a port may lie, best first: the folder that all users share.
  package static var lockFolders: [String] {
    ["/run/lock"] + [value("XDG_RUNTIME_DIR")].compactMap { $0 } + ["/tmp"]
  }
}

import LinuxIO

/// A program of this project that a package of its own installs: it takes the place of this one.
enum SiblingProgram {
  /// Runs the program in this process; returns only if that fails. It is beside this program, as after a build, or where the package
  /// installs it.
  static func run(_ name: String, _ arguments: [String]) -> SystemError {
    let own = ProcessEnvironment.executable.map { path in
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
    let folders = own.map { [$0, "\($0)/../libexec"] } ?? []
    var failure = SystemError(operation: "exec", errno: SystemError.noSuchThing)
    for folder in folders + ["/usr/libexec"] {
      do throws(SystemError) { try ProgramReplacement.run("\(folder)/\(name)", arguments) } catch { failure = error }
      guard failure.isAbsence else { break }
    }
    return failure
  }
}

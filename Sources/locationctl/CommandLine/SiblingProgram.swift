import LinuxIO

/// A program of this project that a package of its own installs: it takes the place of this one.
enum SiblingProgram {
  /// Where the program can be: beside this program, as after a build, or where the package installs it.
  static func paths(of name: String) -> [String] {
    let own = ProcessEnvironment.executable.map { path in
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
    let folders = own.map { [$0, "\($0)/../libexec"] } ?? []
    return (folders + ["/usr/libexec"]).map { "\($0)/\(name)" }
  }

  /// Runs the program in this process; returns only if that fails.
  static func run(_ name: String, _ arguments: [String]) -> SystemError {
    var failure = SystemError(operation: "exec", errno: SystemError.noSuchThing)
    for path in paths(of: name) {
      do throws(SystemError) { try ProgramReplacement.run(path, arguments) } catch { failure = error }
      guard failure.isAbsence else { break }
    }
    return failure
  }
}

internal import LinuxIO

/// The program that a process starts as its helper, where no unit of the service does.
package struct HelperProgram: Hashable, Sendable {
  /// Is looked for in PATH where it has no slash.
  package var path: String
  /// What it sees as its own name.
  package var name: String
  package var arguments: [String]

  package init(path: String, name: String, arguments: [String]) {
    (self.path, self.name, self.arguments) = (path, name, arguments)
  }

  /// This program itself, where it can be `locationd`, as both programs of the package can; else the one that is installed.
  ///
  /// - Parameter argument: what makes `locationd` that helper.
  package static func own(_ argument: String) -> HelperProgram {
    let file = ProcessEnvironment.executable?.split(separator: "/").last ?? ""
    let isOurs = file == "locationd" || file == "locationctl"
    return HelperProgram(path: isOurs ? "/proc/self/exe" : "locationd", name: "locationd", arguments: [argument])
  }
}

internal import LinuxIO

/// The program that a process starts as its fetcher, where no unit of the service does.
package struct FetchProgram: Hashable, Sendable {
  /// Is looked for in PATH where it has no slash.
  package var path: String
  /// What it sees as its own name.
  package var name: String
  package var arguments: [String]

  package init(path: String, name: String, arguments: [String]) {
    (self.path, self.name, self.arguments) = (path, name, arguments)
  }

  /// What makes `locationd` the fetcher.
  package static let argument = "fetch-helper"

  /// This program itself, where it can be `locationd`, as both programs of the package can; else the one that is installed.
  package static var own: FetchProgram {
    let file = ProcessEnvironment.executable?.split(separator: "/").last ?? ""
    let isOurs = file == "locationd" || file == "locationctl"
    return FetchProgram(path: isOurs ? "/proc/self/exe" : "locationd", name: "locationd", arguments: [argument])
  }
}

import ArgumentParser
import LinuxIO

/// `locationctl map`: the program `locationctl-map` serves the page; it alone needs an HTTP server.
struct MapCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Show the position, tracks, regions and visits on a map in a browser.",
    discussion: """
      Prints the address of a page that only you can open: it is served at 127.0.0.1, and the address contains a token. The page asks \
      nothing outside this machine. It shows what the location service shows to your user. Ctrl-C ends the map.
      """)
  @Option(help: ArgumentHelp("The port at 127.0.0.1 (default: any free one).", valueName: "number"))
  var port: Int?
  @Flag(help: "Show regions, but do not change them.")
  var readOnly = false

  func validate() throws {
    if let port, !(1...65_535).contains(port) { throw ValidationError("Use a port from 1 to 65535.") }
  }

  func execute() -> CommandStatus {
    var arguments: [String] = []
    if let port { arguments += ["--port", "\(port)"] }
    if readOnly { arguments.append("--read-only") }
    let failure = SiblingProgram.run("locationctl-map", arguments)
    return Diagnostics.report(
      FailureMessage(
        failure.isAbsence
          ? "The program that serves the map is not installed: install the package locationd-map."
          : "The program that serves the map does not start: \(failure.description).", .noSource))
  }
}

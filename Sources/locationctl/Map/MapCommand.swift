import ArgumentParser
import Geodesy
import LinuxIO

/// `locationctl map`: the program `locationctl-map` serves the page and draws the pictures; it alone needs an HTTP server and cairo.
struct MapCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Show the position, tracks, regions and visits on a map in a browser, or as a picture.",
    discussion: """
      Prints the address of a page that only you can open, and opens it if there is a graphical session: it is served at 127.0.0.1, and the \
      address contains a token. The page asks nothing outside this machine. Its streets are those that 'locationctl places import' has \
      imported, or those of --tiles. It shows what the location service shows to your user. Ctrl-C ends the map.

      With --snapshot or --terminal, it draws a picture instead: of the position, unless you choose something else.
      """)
  @Option(help: ArgumentHelp("The port at 127.0.0.1 (default: any free one).", valueName: "number"))
  var port: Int?
  @Flag(help: "Show regions, but do not change them.")
  var readOnly = false
  @Option(
    help: ArgumentHelp(
      "Show the tiles of this PMTiles or MBTiles file; can be given several times.", valueName: "file"),
    completion: .file(extensions: ["pmtiles", "mbtiles"]))
  var tiles: [String] = []
  @Flag(help: "Serve the local network for an hour, read-only and encrypted.")
  var share = false
  @Flag(help: "Do not open the page in a browser.")
  var noOpen = false
  @Option(
    help: ArgumentHelp("Draw a picture to this file: .png or .svg.", valueName: "file"), completion: .file())
  var snapshot: String?
  @Flag(help: "Draw a picture on the terminal.")
  var terminal = false
  @OptionGroup(title: "Options of pictures") var picture: PictureOptions

  func validate() throws {
    if let port, !(1...65_535).contains(port) { throw ValidationError("Use a port from 1 to 65535.") }
    guard tiles.count <= 16 else { throw ValidationError("Use at most 16 files of tiles.") }
    guard snapshot != nil || terminal else { return try picture.requireNone() }
    guard snapshot == nil || !terminal else { throw ValidationError("Use either --snapshot or --terminal.") }
    guard port == nil, !readOnly, !share, !noOpen else {
      throw ValidationError("--port, --read-only, --share and --no-open are for the page, and not for a picture.")
    }
    if let snapshot, !LogPicture.isPicture(snapshot) {
      throw ValidationError("Use a file with the suffix .png or .svg.")
    }
    try picture.check(isFile: snapshot != nil)
  }

  func execute() -> CommandStatus {
    let files = tiles.flatMap { ["--tiles", $0] }
    if let snapshot { return Self.start(["--snapshot", snapshot] + picture.arguments + files) }
    if terminal { return Self.start(["--terminal", picture.graphics?.rawValue ?? "auto"] + picture.arguments + files) }
    var arguments = files
    if share { arguments.append("--share") }
    if noOpen { arguments.append("--no-open") }
    if let port { arguments += ["--port", "\(port)"] }
    if readOnly { arguments.append("--read-only") }
    return Self.start(arguments)
  }

  /// Runs `locationctl-map` in this process; returns only if that fails.
  static func start(_ arguments: [String]) -> CommandStatus {
    let failure = SiblingProgram.run("locationctl-map", arguments)
    return Diagnostics.report(
      FailureMessage(
        failure.isAbsence
          ? "The program that draws the map is not installed: install the package locationd-map."
          : "The program that draws the map does not start: \(failure.description).", .noSource))
  }
}

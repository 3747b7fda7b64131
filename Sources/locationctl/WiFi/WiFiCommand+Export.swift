import ArgumentParser
import LocationIPC

extension WiFiCommand {
  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write the known access points for other machines or a web server, in tiles of 5 km.",
      discussion: """
        The folder is created if it does not exist; tiles in it are replaced. To run a tile server, serve these files over HTTP. Anybody \
        who reads the tiles knows where this machine was.
        """)
    @Argument(help: ArgumentHelp("The folder to write to.", valueName: "directory"))
    var folder: String
    @Option(
      help: ArgumentHelp(
        "If a tile would exceed this size, keep only the access points that cover the largest area.", valueName: "bytes"
      ),
      transform: { Int(try Bounds.positive($0, upTo: 2_000_000, unit: "bytes")) })
    var budget: Int?
    @OptionGroup var plain: PlainOption

    func validate() throws {
      if folder.isEmpty { throw ValidationError("The name of the folder is empty: specify one, such as ./tiles.") }
    }

    func execute() throws -> CommandStatus {
      CommandSession.withService(try WiFiCommand.source) { session in
        TileExport(folder: folder, budget: budget).execute(session)
      }
    }
  }
}

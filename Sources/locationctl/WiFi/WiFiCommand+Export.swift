import ArgumentParser
import LocationIPC

extension WiFiCommand {
  /// `wifi export`.
  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write the known access points as tiles of 5 km, for other machines or a web server.",
      discussion: """
        The folder is created if it does not exist; tiles in it are replaced. A tile server is these files over HTTP. Anybody \
        who reads the tiles knows where this machine was.
        """)
    @Argument(help: ArgumentHelp("The folder to write to.", valueName: "directory"))
    var folder: String
    @Option(
      help: ArgumentHelp(
        "In a tile that would be larger than this, keep only the access points that cover most.", valueName: "bytes"),
      transform: { Int(try Bounds.positive($0, upTo: 2_000_000, unit: "bytes")) })
    var budget: Int?
    @OptionGroup var plain: PlainOption

    func validate() throws {
      if folder.isEmpty { throw ValidationError("The name of the folder is empty: give one, such as ./tiles.") }
    }

    func execute() throws -> CommandStatus {
      CommandSession.withService(try WiFiCommand.source) { session in
        TileExport(folder: folder, budget: budget).execute(session)
      }
    }
  }
}

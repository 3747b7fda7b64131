import ArgumentParser
import LocationIPC

extension WiFiCommand {
  /// `wifi export`.
  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write what is known as tiles of 5 km, for other machines, or for a web server.",
      discussion: """
        The folder is made, and may be there; tiles in it are replaced. A tile server is these files over HTTP. Who may read \
        them knows where this machine was.
        """)
    @Argument(help: ArgumentHelp("A folder.", valueName: "directory"))
    var folder: String
    @Option(
      help: ArgumentHelp("Choose the access points that cover most, where a tile would be larger.", valueName: "bytes"),
      transform: { Int(try Bounds.positive($0, upTo: 2_000_000, unit: "bytes")) })
    var budget: Int?

    func validate() throws {
      if folder.isEmpty { throw ValidationError("The folder's name is empty: name one, such as ./tiles.") }
    }

    func execute() throws -> CommandStatus {
      Self.withService(try WiFiCommand.source) { host in
        TileExport(folder: folder, budget: budget).execute(host)
      }
    }
  }
}

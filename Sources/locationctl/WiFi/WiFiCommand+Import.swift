import ArgumentParser

extension WiFiCommand {
  /// `wifi import`.
  struct Import: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Take up where access points are: WiGLE's CSV, any CSV, or tiles.",
      discussion: """
        CSV has a line with names of columns, bssid, latitude and longitude among them; accuracy is a radius in metres, and \
        ssid is only asked whether it wants to be left out. Tiles end in .tile, as 'wifi export' writes them. What is \
        imported of an access point replaces what was before; what is learnt here goes before both.
        """)
    @Argument(help: ArgumentHelp("One or more files.", valueName: "file"))
    var files: [String]

    func execute() throws -> CommandStatus {
      Self.withService(try WiFiCommand.source) { host in WiFiImportRun(host: host, files: files).execute() }
    }
  }
}

import ArgumentParser

extension WiFiCommand {
  struct Import: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Import positions of access points from WiGLE's CSV, any CSV, or tiles.",
      discussion: """
        A CSV file has a line with column names. bssid, latitude and longitude are required; accuracy (a radius in meters) and \
        ssid are optional. ssid is only checked for _nomap and _optout. The names of tiles end in .tile; 'wifi export' writes \
        them. A new import of an access point replaces an earlier one. A position that was learned here takes precedence.
        """)
    @Argument(help: ArgumentHelp("The files to import.", valueName: "file"))
    var files: [String]
    @OptionGroup var plain: PlainOption

    func execute() throws -> CommandStatus {
      CommandSession.withService(try WiFiCommand.source) { WiFiImportRun($0, files: files).execute() }
    }
  }
}

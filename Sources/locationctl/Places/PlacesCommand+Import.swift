import ArgumentParser
import LinuxIO
import PlacesStore

extension PlacesCommand {
  /// `places import`: the program `locationctl-places` does it, which alone needs a reader of extracts.
  struct Import: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Add the streets, addresses and points of interest of an extract of OpenStreetMap.",
      discussion: """
        The file is an extract in PBF format, as from https://download.geofabrik.de, sorted as these are. It is read at \
        the lowest priority, by a process without a network and without access to other files, as far as the kernel permits. \
        Until the import is complete, an existing file of the same name stays. \
        The data is © OpenStreetMap contributors, under the Open Database License 1.0: show this wherever you show the data.
        """)
    @Argument(
      help: ArgumentHelp("The extract.", valueName: "file.osm.pbf"), completion: .file(extensions: ["pbf"]))
    var file: String
    @Option(help: ArgumentHelp("The name of the imported data (default: the file's name).", valueName: "name"))
    var name: String?
    @Flag(help: "For all users of this machine, as root. Without it, for your user.")
    var system = false
    @Flag(help: "Replace imported data of the same name.")
    var replace = false
    @OptionGroup var report: ReportStyle

    func validate() throws {
      if let name, !PlacesFolders.isName(name) {
        throw ValidationError("Use letters, digits, '.', '_' and '-' in the name.")
      }
    }

    func execute() -> CommandStatus {
      var arguments = ["import"]
      if let name { arguments += ["--name", name] }
      if system { arguments.append("--system") }
      if replace { arguments.append("--replace") }
      if report.isJSON { arguments.append("--json") }
      // A path that begins with a hyphen is no option.
      arguments.append(file.hasPrefix("-") ? "./" + file : file)
      let failure = SiblingProgram.run("locationctl-places", arguments)
      return Diagnostics.report(Self.cannotStart(failure))
    }

    static func cannotStart(_ failure: SystemError) -> FailureMessage {
      FailureMessage(
        failure.isAbsence
          ? "The program that reads extracts is not installed: install the package locationd-places."
          : "The program that reads extracts does not start: \(failure.description).", .noSource)
    }
  }

  /// `places remove`.
  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove imported data.")
    @Argument(help: ArgumentHelp("The name of the imported data.", valueName: "name"), completion: ServiceNames.places)
    var name: String
    @Flag(help: "Remove the data that serves all users, as root. Without it, the data of your user.")
    var system = false
    @OptionGroup var plain: PlainOption

    func execute() -> CommandStatus {
      let scope: PlacesFolders.Scope = system ? .system : .user
      guard let entry = PlacesFolders.files([scope]).first(where: { $0.name == name }) else {
        let other = PlacesFolders.files().contains { $0.name == name }
        let shown = TerminalText.sanitized(name)
        return Diagnostics.report(
          FailureMessage(
            other
              ? "'\(shown)' serves \(system ? "only your user: leave out --system" : "all users: add --system, as root")."
              : "There is no imported data named '\(shown)': see 'locationctl places list'.", .badInput))
      }
      do throws(SystemError) {
        try FileChange.remove(entry.path)
      } catch {
        return Diagnostics.report(
          FailureMessage(
            "\(TerminalText.sanitized(entry.path)): \(error.description).", error.isPermission ? .denied : .cannotWrite)
        )
      }
      Diagnostics.print("Removed \(TerminalText.sanitized(name)).")
      return .done
    }
  }
}

import ArgumentParser
import LocationDaemon
import LocationIPC

/// `locationctl devices`: the receivers and adapters that are there, and which adapters are trusted as receivers.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List receivers and serial adapters; trust an adapter as a receiver.",
    subcommands: [List.self, Trust.self, Forget.self], defaultSubcommand: List.self)

  /// `devices list`, and `devices` alone.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List what is there.")
    @Option(
      help: ArgumentHelp(
        "Listen so long to receivers of which nothing is known yet; 0: only look what is there.", valueName: "seconds"),
      transform: { try Bounds.notNegative($0, upTo: Bounds.wait, unit: "seconds") })
    var listen: Double = 4
    @OptionGroup var origin: SourceOptions

    func execute() throws -> CommandStatus {
      let source = try origin.resolved()
      return Self.withService(source) {
        DevicesRun(host: $0, request: .listDevices(Question.id), listening: .seconds(listen)).execute()
      }
    }
  }

  /// `devices trust ID`.
  struct Trust: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Open this serial adapter as a receiver from now on.")
    @Argument(help: ArgumentHelp("Its ID or path, as 'locationctl devices' lists it.", valueName: "id"))
    var selector: String

    func execute() -> CommandStatus {
      Self.withService(.automatic) {
        DevicesRun(host: $0, request: .trustDevice(Question.id, selector: selector)).execute()
      }
    }
  }

  /// `devices forget ID`.
  struct Forget: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Take that back.")
    @Argument(help: ArgumentHelp("Its ID or path, as 'locationctl devices' lists it.", valueName: "id"))
    var selector: String

    func execute() -> CommandStatus {
      Self.withService(.automatic) {
        DevicesRun(host: $0, request: .forgetDevice(Question.id, selector: selector)).execute()
      }
    }
  }
}

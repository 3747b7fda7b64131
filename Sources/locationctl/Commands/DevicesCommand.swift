import ArgumentParser
import LocationIPC
import LocationdHost

/// `locationctl devices`: the receivers and adapters that are there, which adapters are trusted as receivers, and which receivers
/// are gpsd's.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List receivers and serial adapters; trust an adapter as a receiver; take one from gpsd.",
    usage: """
      locationctl devices [list] [--listen <seconds>] [--source <source>]
      locationctl devices --owner locationd|gpsd <id>
      locationctl devices trust|forget <id>
      """,
    discussion: """
      A receiver that gpsd lists is gpsd's, and is read through it. With --owner locationd gpsd lets it go, and it is opened \
      by locationd, or by this command where there is none, from now on, also after a reboot; with --owner gpsd it is put \
      back as it was, closed, and given to gpsd.
      """,
    subcommands: [List.self, Trust.self, Forget.self], defaultSubcommand: List.self)

  /// `devices list`, and `devices` alone; `devices --owner OWNER ID`.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List what is there; with --owner, take a receiver from gpsd, or give it back.")
    @Argument(
      help: ArgumentHelp("With --owner: its ID or path, as 'locationctl devices' lists it.", valueName: "id"))
    var selector: String?
    @Option(
      help: ArgumentHelp(
        "Who opens this receiver from now on: locationd, or gpsd, through which it is read then.", valueName: "owner"))
    var owner: DeviceOwner?
    @Option(
      help: ArgumentHelp(
        "Listen so long to receivers of which nothing is known yet; 0: only look what is there.", valueName: "seconds"),
      transform: { try Bounds.notNegative($0, upTo: Bounds.wait, unit: "seconds") })
    var listen: Double = 4
    @OptionGroup var origin: SourceOptions

    func validate() throws {
      if let selector, owner == nil {
        throw ValidationError("What is to be done with '\(selector)'? Give --owner, trust or forget.")
      }
      if owner != nil, selector == nil { throw ValidationError("Name the receiver: --owner OWNER ID.") }
    }

    func execute() throws -> CommandStatus {
      let source = try origin.resolved()
      if let owner, let selector {
        return Self.withService(source) {
          DevicesRun(host: $0, request: .setOwner(Question.id, selector: selector, owner: owner)).execute()
        }
      }
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

extension DeviceOwner: ExpressibleByArgument {}

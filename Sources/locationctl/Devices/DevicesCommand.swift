import ArgumentParser
import LocationIPC
import LocationdHost
import LocationdService

/// `locationctl devices`: lists the attached receivers and serial adapters, which adapters are trusted as receivers, and which
/// receivers are owned by gpsd.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List receivers and serial adapters, trust an adapter as a receiver, or take a receiver from gpsd.",
    usage: """
      locationctl devices [list] [--listen <time>] [--source <source>] [--json] [--text]
      locationctl devices --owner locationd|gpsd <id>
      locationctl devices trust|forget <id>
      """,
    discussion: """
      If gpsd lists a receiver, the receiver is read through gpsd. With --owner locationd, gpsd releases the receiver, and \
      locationd opens it from now on, even after a reboot. If locationd is not running, locationctl opens it. With --owner gpsd, \
      the old settings of the receiver are restored, and gpsd opens the receiver from now on.
      """,
    subcommands: [List.self, Trust.self, Forget.self], defaultSubcommand: List.self)

  /// `devices list`, and `devices` alone; `devices --owner OWNER ID`.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List receivers and serial adapters. With --owner, take a receiver from gpsd or give it back.")
    @Argument(
      help: ArgumentHelp(
        "With --owner: the ID or path of the receiver, as 'locationctl devices' lists it.", valueName: "id"),
      completion: ServiceNames.devices)
    var selector: String?
    @Option(
      help: ArgumentHelp(
        "Who opens this receiver from now on: locationd or gpsd.", valueName: "owner"))
    var owner: DeviceOwner?
    @Option(
      help: ArgumentHelp(
        "Listen this long to identify unknown receivers. 0: do not listen (default: 4s).", valueName: "time"),
      transform: { try Bounds.timeOrZero($0, upTo: Bounds.wait) })
    var listen: Double = 4
    @OptionGroup var origin: SourceOptions
    @OptionGroup var report: ReportStyle
    @OptionGroup var messages: MessageOptions

    func validate() throws {
      if let selector, owner == nil {
        throw ValidationError("It is not clear what to do with '\(selector)': add --owner, trust or forget.")
      }
      if owner != nil, selector == nil { throw ValidationError("The receiver is missing: use --owner OWNER ID.") }
    }

    func execute() throws -> CommandStatus {
      let source = try origin.resolved()
      if let owner, let selector {
        let done = "\(TerminalText.sanitized(selector)) belongs to \(owner.name) now."
        return CommandSession.withService(source) { $0.request(.setOwner(owner, of: selector)) }.confirmed(done)
      }
      return CommandSession.withService(source) {
        DeviceListing($0, listening: .seconds(listen), asJSON: report.isJSON).run()
      }
    }
  }

  /// `devices trust ID`.
  struct Trust: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Let the location service open this serial adapter as a receiver from now on.")
    @Argument(
      help: ArgumentHelp("The ID or path of the adapter, as 'locationctl devices' lists it.", valueName: "id"),
      completion: ServiceNames.devices)
    var selector: String
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      CommandSession.withService(.automatic) { $0.request(.trustDevice(selector)) }
        .confirmed("The location service uses \(TerminalText.sanitized(selector)) as a receiver from now on.")
    }
  }

  /// `devices forget ID`.
  struct Forget: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Undo 'devices trust'.")
    @Argument(
      help: ArgumentHelp("The ID or path of the adapter, as 'locationctl devices' lists it.", valueName: "id"),
      completion: ServiceNames.devices)
    var selector: String
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      CommandSession.withService(.automatic) { $0.request(.forgetDevice(selector)) }
        .confirmed("The location service does not open \(TerminalText.sanitized(selector)) any more.")
    }
  }
}

extension DeviceOwner: NamedArgument {}

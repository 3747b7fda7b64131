import ArgumentParser
import LocationIPC
import TrackFormats

/// `locationctl services on|off`; `services` alone prints the state.
struct ServicesCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "services", abstract: "Switch location services on or off for everybody, or show the state.")

  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  @Argument(help: ArgumentHelp("on or off. Without an argument, the command prints the state.", valueName: "state"))
  var state: Switch?
  @OptionGroup var report: ReportStyle
  @OptionGroup var messages: MessageOptions

  func execute() -> CommandStatus {
    if let state {
      return GrantRequest.decide(.setServices(isOn: state == .on)).confirmed("Location services are \(state.rawValue).")
    }
    return GrantRequest.list { list, _ in
      Results.write(report.isJSON ? GrantTable.services(list) : GrantTable.headline(list)) ?? .done
    }
  }
}

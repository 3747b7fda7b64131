import ArgumentParser
import LocationIPC
import TrackFormats

/// `locationctl services on|off`; `services` alone prints the state.
struct ServicesCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "services", abstract: "Switch location services on or off for everybody, or show the state.")

  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  @Argument(help: ArgumentHelp("on or off. Without it, the state is printed.", valueName: "state"))
  var state: Switch?

  func execute() -> CommandStatus {
    if let state { return GrantRequest.decide(.setServices(isOn: state == .on)) }
    return GrantRequest.list { list, _ in
      Results.write(Results.areForPeople ? GrantTable.headline(list) : GrantTable.services(list)) ?? .done
    }
  }
}

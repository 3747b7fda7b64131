import ArgumentParser
import LinuxIO
import LocationdClient

/// `locationctl agent`: asks a person who may know where this machine is, until it is ended.
struct AgentCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent", abstract: "Put questions about who may know to a person, until it is ended.",
    discussion: """
      Root and members of the group location are asked about everybody; others about what they run confined (Flatpak, Snap). \
      On a terminal each question is answered by a letter; elsewhere it is a desktop notification with buttons.
      """)

  @Flag(help: "By desktop notifications; so also where there is no terminal.")
  var notify = false
  @Flag(help: "On this terminal.")
  var terminal = false

  func validate() throws {
    if notify, terminal { throw ValidationError("Give --notify or --terminal, not both.") }
  }

  func execute() -> CommandStatus {
    let isByTerminal = terminal || (!notify && Terminal.isTerminal(0) && Terminal.isTerminal(2))
    return Self.withDaemon { host in
      let loop = host.surroundings.loop
      let desk: any AgentRun.Desk = isByTerminal ? TerminalDesk(loop) : NotificationDesk(loop)
      return AgentRun(host: host, desk: desk).execute()
    }
  }
}

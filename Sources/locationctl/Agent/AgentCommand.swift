import ArgumentParser
import LinuxIO

/// `locationctl agent`: asks the user to grant or refuse access to the location, until it is stopped.
struct AgentCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent", abstract: "Whenever a program requests the location, ask a person for permission.",
    discussion: """
      Runs until you end it. If root or a member of the group location runs it, it shows the requests of all users. If another \
      user runs it, it shows only the requests of this user's own Flatpaks and Snaps. On a terminal, type the letter of the \
      answer and press Enter. Elsewhere, each question is a desktop notification with buttons.
      """)

  @Flag(help: "Ask with desktop notifications. This is the default if there is no terminal.")
  var notify = false
  @Flag(help: "Ask on this terminal.")
  var terminal = false
  @OptionGroup var plain: PlainOption

  func validate() throws {
    if notify, terminal { throw ValidationError("Use either --notify or --terminal.") }
  }

  func execute() -> CommandStatus {
    let isByTerminal = terminal || (!notify && Terminal.isTerminal(0) && Terminal.isTerminal(2))
    return CommandSession.withDaemon { session in
      let interface: any PromptInterface =
        isByTerminal ? TerminalPrompt(session.loop) : NotificationPrompt(session.loop)
      return AuthorizationAgent(session, interface).run()
    }
  }
}

import ArgumentParser
import LocationdClient

/// `locationctl grants`: who may know where this machine is, and who waits to hear.
struct GrantsCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants", abstract: "List who may know where this machine is, and who has asked.",
    discussion: """
      Root and members of the group location see everybody; others see themselves and what they run confined.
      """)

  @Flag(help: "One JSON object a line; so also in a pipe.")
  var json = false

  func execute() -> CommandStatus {
    Self.withGrants { list, host in
      let asJSON = json || !Results.areForPeople
      let bytes =
        asJSON
        ? GrantTable.jsonLines(list, at: host.now) : GrantTable.text(list, at: host.now, clock: .ofThisMachine)
      return Results.write(bytes) ?? .done
    }
  }
}

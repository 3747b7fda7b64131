import ArgumentParser

/// `locationctl grants`: lists who has access to the location, and which requests are pending.
struct GrantsCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants", abstract: "List who has access to the location, and who has asked for it.",
    discussion: """
      Root and members of the group location see all users. Other users see themselves and their own sandboxed programs.
      """)

  @OptionGroup var report: ReportStyle

  func execute() -> CommandStatus {
    GrantRequest.list { list, now in
      let bytes =
        report.isJSON
        ? GrantTable.jsonLines(list, at: now) : GrantTable.text(list, at: now, clock: .ofThisMachine)
      return Results.write(bytes) ?? .done
    }
  }
}

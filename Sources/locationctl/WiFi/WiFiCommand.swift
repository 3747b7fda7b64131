import ArgumentParser
import LocationIPC
import LocationdHost
import LocationdService
import Positioning

/// `locationctl wifi`: shows the access points nearby and manages the access point database.
struct WiFiCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wifi", abstract: "Find the position from Wi-Fi access points, and manage the stored access points.",
    discussion: """
      The service learns access points wherever a receiver has a fix, and imports them from files. Wi-Fi positioning sends \
      nothing to the network unless the setting wifi-provider or wifi-tiles (LOCATIOND_WIFI_PROVIDER, LOCATIOND_WIFI_TILES) is set. No network \
      name is stored. A network whose name ends in _nomap or contains _optout is ignored.
      """,
    subcommands: [Scan.self, Locate.self, Learned.self, Import.self, Export.self, Forget.self])

  /// A scan of all channels takes five seconds; a slow card may take longer.
  private static let limits = SingleRequestLimits(timeout: .seconds(60))

  /// Sends a request about the radio or the access point database.
  private static func request<Reply>(
    _ request: ServiceRequest<Reply>, _ body: @escaping (Reply) -> CommandStatus
  ) throws -> CommandStatus {
    CommandSession.withService(try source) { $0.request(request, limits, body) }
  }

  struct Scan: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "scan", abstract: "List the access points in range.",
      discussion: "It makes a passive scan. If that is not possible, it lists what other programs have scanned.")
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      try WiFiCommand.request(.wifiScan) { located in
        if let problem = located.problem { Diagnostics.print(TerminalText.sanitized(problem.message, limit: 1000)) }
        if located.accessPoints.isEmpty {
          guard let problem = located.problem else {
            Diagnostics.print("There is no access point in range: move closer to one, or try again.")
            return .done
          }
          return FailureMessage(.radio(problem)).status
        }
        return Results.write(report.isJSON ? AccessPointTable.jsonLines(located) : AccessPointTable.table(located))
          ?? .done
      }
    }
  }

  struct Locate: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "locate", abstract: "Print the position from the access points in range, without other sources.",
      discussion: """
        Like 'locationctl fix --source wifi', but locationd computes the position, from the access points that it has learned, imported \
        and fetched. 'fix --source wifi' uses only those in the state folder of this user.
        """)
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      try WiFiCommand.request(.wifiPosition) { located in
        guard let line = AccessPointTable.position(located, asJSON: report.isJSON) else {
          if located.accessPoints.isEmpty, let problem = located.problem {
            return Diagnostics.report(FailureMessage(.radio(problem)))
          }
          return Diagnostics.report(FailureMessage(.noKnownAccessPoint(received: located.accessPoints.count)))
        }
        return Results.write(line) ?? .done
      }
    }
  }

  struct Learned: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "learned", abstract: "Count the access points with a known position, or list the learned ones.",
      discussion: "Imported and fetched access points are counted but not listed.")
    @Flag(help: "List the access points that this machine has learned, one per line, instead of counting all.")
    var list = false
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      let asJSON = report.isJSON
      guard list else {
        return try WiFiCommand.request(.wifiAccount) { account in
          Results.write(AccessPointTable.account(account, asJSON: asJSON)) ?? .done
        }
      }
      return CommandSession.withService(try WiFiCommand.source) { session in
        AccessPointReading(session, of: [.learned]) { places in
          Results.write(places.flatMap { AccessPointTable.line($0, asJSON: asJSON) })
        }.execute()
      }
    }
  }

  struct Forget: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget", abstract: "Delete the learned, imported or fetched access points permanently.")
    @Argument(help: ArgumentHelp("The kind to delete: learned, imported or fetched.", valueName: "what"))
    var what: AccessPointOrigin

    @OptionGroup var force: ForceOption
    @OptionGroup var messages: MessageOptions

    func execute() throws -> CommandStatus {
      do throws(CommandStatus) {
        try force.permits("all \(what.name) access points")
      } catch {
        return error
      }
      return try WiFiCommand.request(.wifi(.forget(what))) { .done }.confirmed(
        "Deleted the \(what.name) access points.")
    }
  }

  /// The source that selects the service whose database is used: the daemon, otherwise a service hosted here. If
  /// LOCATIOND_SOURCE is `wifi`, it is always a service hosted here.
  static var source: SourceSelection {
    get throws { try SourceOptions.fromEnvironment() == .wifi ? .wifi : .automatic }
  }
}

extension AccessPointOrigin: NamedArgument {}

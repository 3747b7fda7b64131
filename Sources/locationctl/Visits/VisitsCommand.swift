import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// `locationctl visits`: lists the places where this machine has stayed, as detected by locationd.
struct VisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "Detect places where this machine stays, and list or follow them.",
    discussion: """
      A stay of some minutes is reported when it is certain, with the best estimate of its beginning and end. You do not have to \
      name the places. Detection continues while nobody is logged in, until 'visits off'.
      """,
    subcommands: [List.self, Watch.self, On.self, Off.self, Remove.self], defaultSubcommand: List.self)

  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the visits, oldest first.")
    @Option(
      help: ArgumentHelp("Print only visits that ended after this time.", valueName: "time"),
      transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @OptionGroup var places: PlaceOption
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      MonitoringSession.open { session in
        session.perform(
          .send(.visits(of: RegionCommand.list, from: from)) { visits in importedPage(0, visits) })
      }
    }

    /// Reads the imported visits from `index` on, and prints all visits after the last page.
    private func importedPage(_ index: UInt32, _ visits: [Visit]) -> RequestStep {
      .send(.importedVisits(from: from, index: index)) { page in
        let all = visits + page.visits
        guard let next = page.next else { return .end(write(all)) }
        return importedPage(next, all)
      }
    }

    private func write(_ visits: [Visit]) -> CommandStatus {
      if visits.isEmpty {
        Diagnostics.print(
          "No visits have been recorded yet: turn detection on with 'locationctl visits on'.")
      }
      // Without imported visits, keep the order in which the visits were detected, even if a clock was wrong.
      let visits = visits.contains(where: \.isImported) ? visits.sorted { Self.begin($0) < Self.begin($1) } : visits
      let names: PlaceNames?
      do throws(FailureMessage) { names = try places.names() } catch { return Diagnostics.report(error) }
      let found = visits.map { names?.place(at: $0.coordinate, radius: $0.knownHorizontalRadius68) }
      guard report.isJSON else {
        let lines = names.map { _ in found.map { $0?.line ?? "-" } }
        if let failure = Results.write(VisitTable.bytes(visits, places: lines, .ofReports)) { return failure }
        names?.printAttributions()
        return .done
      }
      return Results.write(
        zip(visits, found).flatMap { PlaceNames.adding($1, to: EventJSON.object($0).line) }) ?? .done
    }

    private static func begin(_ visit: Visit) -> GNSSTime {
      visit.arrival ?? visit.departure ?? GNSSTime(nanosecondsSince1970: .max)
    }
  }

  struct Watch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Print arrivals and departures as soon as they are certain.")
    @OptionGroup var limits: EventLimits

    func execute() -> CommandStatus {
      MonitoringSession.open { EventStream($0, limits) { $0.subject == .visits }.run() }
    }
  }

  struct On: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Start detecting visits.")
    @Option(
      help: ArgumentHelp("When a visit begins, run this command as your user, with /bin/sh.", valueName: "command"))
    var onArrival: String?
    @Option(help: ArgumentHelp("When a visit ends, run this command.", valueName: "command"))
    var onDeparture: String?
    @OptionGroup var budget: BudgetOption
    @OptionGroup var purpose: PurposeOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      MonitoringSession.replacing(\.visitsLaunch) {
        MonitoringSession.begin(purpose.text, of: "Visit detection") { () throws(FailureMessage) in
          MonitoringLaunch(onEntry: try budget.note(onArrival), onExit: try budget.note(onDeparture))
        } _: {
          .setVisits(list: RegionCommand.list, isOn: true, $0, outlives: true)
        }
      }.confirmed("Detecting visits until 'locationctl visits off'.")
    }
  }

  struct Off: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "off", abstract: "Stop detecting visits. The list keeps the recorded visits.")

    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      MonitoringSession.replacing(\.visitsLaunch) {
        MonitoringSession.request(
          .monitoring(.setVisits(list: RegionCommand.list, isOn: false, MonitoringLaunch(), outlives: true))
        ) { .done }
      }.confirmed("Stopped detecting visits.")
    }
  }

  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete visits from the list, detected and imported ones.",
      discussion: "A visit that has not ended yet is kept.")
    @Flag(help: "Delete only the visits that 'locationctl log import' has read from files.")
    var imported = false
    @Option(
      help: ArgumentHelp("Delete only visits that ended after this time.", valueName: "time"),
      transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @Option(
      help: ArgumentHelp("Delete only visits that began before this time.", valueName: "time"),
      transform: { try LogName.time($0, .to) })
    var to: GNSSTime?
    @OptionGroup var force: ForceOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      do throws(CommandStatus) {
        try force.permits(what)
      } catch {
        return error
      }
      var removed = 0
      return MonitoringSession.open { session in
        let importedOnes = RequestStep.send(.removeVisits(of: nil, from: from, to: to)) { count in
          removed += count
          return .end(.done)
        }
        let steps =
          imported
          ? importedOnes
          : .send(.removeVisits(of: RegionCommand.list, from: from, to: to)) { count in
            removed += count
            return importedOnes
          }
        return session.perform(steps, endsWithOutput: false)
      }.confirmed("Deleted \(removed) visit\(removed == 1 ? "" : "s").")
    }

    /// The visits that are deleted, as the end of "Delete …?".
    private var what: String {
      let visits = imported ? "imported visits" : "visits"
      return from == nil && to == nil ? "all \(visits)" : "the \(visits) of that period"
    }
  }
}

import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import Regions
import TrackFormats

/// `locationctl trips`: shows the paths between the places where the machine stayed, from a log.
struct TripsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trips", abstract: "List, show and export the trips of a log.",
    discussion: """
      A trip is the journey between two stays. Stays are the visits of 'locationctl visits' and, before the first visit, stops of \
      7 minutes or more in the log. The number of a trip depends on the period: give 'trips show' and 'trips export' the same \
      --from and --to as 'trips list'.
      """,
    subcommands: [List.self, Show.self, Export.self], defaultSubcommand: List.self)

  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the trips, oldest first.")
    @Argument(
      help: ArgumentHelp("The name of the log, instead of --log.", valueName: "log"), completion: ServiceNames.logs)
    var name: String?
    @OptionGroup var source: TripSource
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "text, json or csv. The default is text on a terminal, else json.",
        discussion: "csv is a mileage log: a header, then one record per trip.", valueName: "format"))
    var format: TripListFormat?
    @OptionGroup var report: ReportStyle

    func validate() throws {
      if name != nil, source.named != nil { throw ValidationError("Name the log only once.") }
      if format != nil, report.json || report.text {
        throw ValidationError("Use only one of --format, --json and --text.")
      }
    }

    func execute() -> CommandStatus {
      do throws(CommandStatus) {
        var source = source
        source.named = source.named ?? name
        let trips = try source.trips()
        if trips.isEmpty { Diagnostics.print("There are no trips in that period: see 'locationctl log list'.") }
        switch format ?? (report.isJSON ? .json : .text) {
        case .text: return Results.write(trips.isEmpty ? [] : TripTable.table(trips)) ?? .done
        case .json: return Results.write(trips.flatMap(\.jsonLine)) ?? .done
        case .csv: return Results.write(NumberedTrip.csv(trips)) ?? .done
        }
      } catch {
        return error
      }
    }
  }

  struct Show: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print the figures of one trip.")
    @OptionGroup var number: TripNumber
    @OptionGroup var source: TripSource
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      do throws(CommandStatus) {
        let trip = try number.trip(of: try source.trips())
        return Results.write(report.isJSON ? trip.jsonLine : TripTable.block(trip)) ?? .done
      } catch {
        return error
      }
    }
  }

  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write one trip as GPX, KML, GeoJSON, CSV or NMEA.")
    @OptionGroup var number: TripNumber
    @OptionGroup var source: TripSource
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The output format: gpx, kml, geojson, csv or nmea. Default: the format of the output file's suffix, else gpx.",
        valueName: "format"))
    var format: TrackFormat?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Write to this file instead of standard output (-). A file that exists is replaced only with --force.",
        valueName: "file"))
    var output: String?
    @Flag(help: "Replace a file that exists.")
    var force = false
    @OptionGroup var messages: MessageOptions

    func validate() throws {
      if force, output == nil { throw ValidationError("--force requires --output.") }
      try LogCommand.Export.check(format, against: output)
    }

    func execute() -> CommandStatus {
      do throws(CommandStatus) {
        let reading = try TripReading(source)
        let trip = try number.trip(of: reading.trips)
        return reading.export(
          trip, format ?? output.flatMap { LogCommand.Export.format(of: $0) } ?? .gpx,
          to: LogCommand.Export.file(output),
          replacing: force
        ).confirmed(LogCommand.Export.file(output).map { "Wrote \(TerminalText.sanitized($0))." })
      } catch {
        return error
      }
    }
  }
}

/// The format of the list of trips.
enum TripListFormat: String, CaseIterable, ExpressibleByArgument { case text, json, csv }

/// The argument that selects a trip.
struct TripNumber: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The number of the trip in 'trips list' with the same period.", valueName: "number"),
    transform: { try Bounds.count($0) })
  var number: Int

  func trip(of trips: [NumberedTrip]) throws(CommandStatus) -> NumberedTrip {
    guard let trip = trips.first(where: { $0.number == number }) else {
      let all = trips.isEmpty ? "no trips" : "only \(CountedNoun.text(trips.count, "trip"))"
      throw Diagnostics.report(
        FailureMessage(
          "There is no trip \(number) in that period, which has \(all): see 'locationctl trips list'.", .noSource))
    }
    return trip
  }
}

/// The log and the period whose trips are computed.
struct TripSource: ParsableArguments {
  @Option(
    name: .customLong("log"), help: ArgumentHelp("The name of the log (default: default).", valueName: "name"),
    completion: ServiceNames.logs)
  var named: String?
  @OptionGroup var period: LogPeriod
  @OptionGroup var hiding: HideOption

  var log: String { named ?? "default" }

  func trips() throws(CommandStatus) -> [NumberedTrip] { try TripReading(self).trips }
}

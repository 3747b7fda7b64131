import ArgumentParser
import Geodesy
import LocationStore
import LocationdHost
import LocationdService
import Regions
import TrackFormats

/// The period of a log that a command reads, and the key if the log is encrypted.
struct LogPeriod: ParsableArguments {
  @Option(
    help: ArgumentHelp("The beginning of the period.", valueName: "time"), transform: { try LogName.time($0, .from) })
  var from: GNSSTime?
  @Option(help: ArgumentHelp("The end of the period.", valueName: "time"), transform: { try LogName.time($0, .to) })
  var to: GNSSTime?
  @OptionGroup var owner: KeyOption

  func validate() throws {
    if let from, let to, from > to { throw ValidationError("--from is later than --to: swap them.") }
  }

  /// Reads the log's entries in this period, except those in `zones`; returns the exit status.
  func read(
    _ log: String, hiding zones: PrivacyZones = PrivacyZones([]), notes: (([TrackNote]) -> Void)? = nil,
    _ body: @escaping (TrackEntry) -> Void
  ) -> CommandStatus {
    do throws(FailureMessage) {
      return read(log, hiding: zones, key: try owner.read(), notes: notes, body)
    } catch {
      return Diagnostics.report(error)
    }
  }

  /// Does the same with a key that was read before, because standard input can be read only once.
  func read(
    _ log: String, hiding zones: PrivacyZones, key: OwnerKey?, notes: (([TrackNote]) -> Void)? = nil,
    _ body: @escaping (TrackEntry) -> Void
  ) -> CommandStatus {
    var clip = TrackClip(zones)
    return CommandSession.withService(.automatic) { session in
      LogReading(
        session, log: log, from: from, to: to, key: key,
        notes: notes.map { notes in { found in notes(found.filter { clip.shows($0) }) } }
      ) { entry in
        clip.add(entry).forEach(body)
        return nil
      }.execute()
    }
  }
}

extension LogCommand {
  struct Show: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print the figures of a log: distance, times, speeds, number of fixes, extent.",
      discussion: "Distances and times do not include interruptions.")
    @OptionGroup var log: LogName
    @OptionGroup var period: LogPeriod
    @OptionGroup var places: PlaceOption
    @OptionGroup var hiding: HideOption
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      let summary = Summary()
      let status: CommandStatus
      do throws(FailureMessage) { summary.names = try places.names() } catch { return Diagnostics.report(error) }
      do throws(CommandStatus) {
        status = period.read(log.name, hiding: try hiding.zones(), notes: { summary.notes = $0 }) {
          summary.add($0)
        }
      } catch {
        return error
      }
      guard status == .done else { return status }
      guard report.isJSON else {
        let towns = summary.names == nil ? [] : TrackReport.towns(summary.towns)
        let text = TrackReport.block(log.name, summary.track) + towns + TrackReport.notes(summary.notes)
        if let failure = Results.write(text) { return failure }
        summary.names?.printAttributions()
        return .done
      }
      var object = JSONObject()
      object.add("name", .text(log.name))
      TrackReport.add(summary.track, to: &object)
      if let names = summary.names {
        object.add("towns", .list(summary.towns))
        object.add("attribution", .list(names.attributions))
      }
      if !summary.notes.isEmpty {
        object.add("notes", rawValue: JSONObject.list(summary.notes.map { TrackReport.object($0) }))
      }
      return Results.write(object.line) ?? .done
    }

    private final class Summary {
      var track = TrackSummary()
      var notes: [TrackNote] = []
      /// Names towns; `nil`: not wanted.
      var names: PlaceNames?
      /// The towns in the order in which they were reached.
      var towns: [String] = []
      private static let mostTowns = 100

      func add(_ entry: TrackEntry) {
        track.add(entry)
        guard let names, case .fix(let fix) = entry, towns.count < Self.mostTowns,
          let town = names.town(at: fix.coordinate), !towns.contains(town)
        else { return }
        towns.append(town)
      }
    }
  }

  struct Stats: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats", abstract: "Print the figures of a log for each day or month.",
      discussion: "Days and months are those of the local time zone. A day without a fix is left out.")
    @OptionGroup var log: LogName
    @Option(help: ArgumentHelp("The length of each period.", valueName: "unit"))
    var by = LocalPeriod.Unit.day
    @OptionGroup var period: LogPeriod
    @OptionGroup var hiding: HideOption
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      let table = Table(unit: by)
      let status: CommandStatus
      do throws(CommandStatus) {
        status = period.read(log.name, hiding: try hiding.zones()) { table.add($0) }
      } catch {
        return error
      }
      guard status == .done else { return status }
      return Results.write(report.isJSON ? table.jsonLines : table.text) ?? .done
    }

    /// The figures of each period, in the order of the log.
    private final class Table {
      private let unit: LocalPeriod.Unit
      private var rows: [(period: LocalPeriod, track: TrackSummary)] = []

      init(unit: LocalPeriod.Unit) { self.unit = unit }

      func add(_ entry: TrackEntry) {
        guard case .fix(let fix) = entry else {
          if !rows.isEmpty { rows[rows.count - 1].track.add(entry) }
          return
        }
        if rows.last?.period.range.contains(fix.time) != true {
          guard let period = LocalPeriod(unit, containing: fix.time) else { return }
          // After a clock was set back, the period may already have a row.
          if let index = rows.firstIndex(where: { $0.period == period }) {
            rows.append(rows.remove(at: index))
            rows[rows.count - 1].track.add(.interruption(.gap))
          } else {
            rows.append((period, TrackSummary()))
          }
        }
        rows[rows.count - 1].track.add(entry)
      }

      var jsonLines: [UInt8] {
        rows.flatMap { row in
          var object = JSONObject()
          object.add("period", .text(row.period.text))
          object.add("zone", .text(row.period.zone))
          TrackReport.add(row.track, to: &object)
          return object.line
        }
      }

      var text: [UInt8] {
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { row in
          [
            row.period.text, TrackReport.length(row.track.distance), TrackReport.time(row.track.moving),
            TrackReport.time(row.track.standing), String(row.track.fixes),
          ]
        }
        return TextTable.aligned([[unit.rawValue.uppercased(), "DISTANCE", "MOVING", "STANDING", "FIXES"]] + cells)
      }
    }
  }
}

extension LocalPeriod.Unit: ExpressibleByArgument {}

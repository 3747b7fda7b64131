import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdService
import Regions
import TrackFormats

extension LogCommand {
  /// `log export`: a log as a file of another format, or as a picture.
  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a log as GPX, KML, GeoJSON, CSV or NMEA, or as a picture.",
      discussion: """
        Heights are above sea level in GPX, KML and NMEA, above the WGS 84 ellipsoid in GeoJSON, and both in CSV. Times are \
        local unless they end in Z or an offset: 2026-03-01, 2026-03-01T12:30, 2026-03-01T12:30:00Z, 19:00, today, yesterday, \
        -2h (two hours ago). A date without a time in --to means the end of that day.
        """)
    @OptionGroup var log: LogName
    @Option(
      name: [.customShort("f"), .customLong("format")],
      help: ArgumentHelp(
        "The output format: gpx, kml, geojson, csv, nmea or png. Default: the format of the output file's suffix, else gpx.",
        valueName: "format"))
    var chosen: ExportFormat?
    @Option(
      help: ArgumentHelp("The beginning of the period.", valueName: "time"), transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @Option(help: ArgumentHelp("The end of the period.", valueName: "time"), transform: { try LogName.time($0, .to) })
    var to: GNSSTime?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Write to this file instead of standard output (-). A file that exists is replaced only with --force.",
        valueName: "file"))
    var output: String?
    @Option(
      help: ArgumentHelp(
        "Write a file for each local day. %Y, %m and %d in the path are year, month and day: tracks/%Y-%m-%d.gpx.",
        discussion: """
          A day that has not ended is left out. Files that exist are kept, unless --force is given. --from and --to select whole \
          days.
          """, valueName: "path"))
    var daily: String?
    @Flag(help: "Replace files that exist.")
    var force = false
    @OptionGroup var places: PlaceOption
    @OptionGroup var hiding: HideOption
    @OptionGroup var owner: KeyOption
    @OptionGroup var plain: PlainOption
    @OptionGroup var messages: MessageOptions

    /// The format of a track; `nil`: none is chosen, or a picture.
    private var format: TrackFormat? {
      if case .track(let format) = chosen { format } else { nil }
    }
    private var isPicture: Bool {
      chosen == .png || (chosen == nil && (output.map { LogPicture.isPicture($0) } ?? false))
    }

    private func writeDays(_ pattern: String, _ zones: PrivacyZones) -> CommandStatus {
      let export = DailyExport(
        log: log.name, pattern: pattern, format: format ?? Self.format(of: pattern) ?? .gpx, replaces: force,
        now: WallClock.now())
      // A file contains whole days, even if --from and --to are within a day.
      let from = self.from.map { LocalPeriod(.day, containing: $0)?.range.lowerBound ?? $0 }
      let to = self.to.map { (LocalPeriod(.day, containing: $0)?.range.upperBound).map { $0 + .nanoseconds(-1) } ?? $0 }
      do throws(FailureMessage) {
        let key = try owner.read()
        var clip = TrackClip(zones)
        let status = CommandSession.withService(.automatic) { session in
          LogReading(
            session, log: log.name, from: from, to: to, key: key,
            notes: { notes in export.notes = notes.filter { clip.shows($0) } }
          ) { entry in
            for entry in clip.add(entry) {
              if let failure = export.add(entry) { return failure }
            }
            return nil
          }.execute()
        }
        guard status == .done else { return status }
      } catch {
        return Diagnostics.report(error)
      }
      if let status = export.finish() { return status }
      if !export.unfinished.isEmpty {
        let days = export.unfinished.sorted { $0.range.lowerBound < $1.range.lowerBound }
        Diagnostics.print(
          "\(days[0].text)\(days.count > 1 ? " and \(days.count - 1) more days have" : " has") not ended and "
            + "\(days.count > 1 ? "were" : "was") left out.")
      }
      let kept = export.kept == 0 ? "" : "; \(export.kept) existed already"
      return CommandStatus.done.confirmed("Wrote \(CountedNoun.text(export.count, "file"))\(kept).")
    }

    /// The file that --output names; `nil` for standard output.
    static func file(_ output: String?) -> String? { output == "-" ? nil : output }

    /// The format that the suffix of a file names.
    static func format(of path: String) -> TrackFormat? {
      guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
      let suffix = path[path.index(after: dot)...].lowercased()
      return suffix == "json" ? .geojson : TrackFormat(rawValue: suffix)
    }

    /// The suffix of a file, with its period, if it names no format. A file without a suffix, and a device such as /dev/null, get GPX.
    private static func unknownSuffix(of path: String) -> String? {
      let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...] != ".", Self.format(of: path) == nil
      else { return nil }
      return String(name[dot...])
    }

    func validate() throws {
      if let from, let to, from > to { throw ValidationError("--from is later than --to: swap them.") }
      if let daily {
        guard output == nil else { throw ValidationError("Use either --output or --daily.") }
        let days = [0, 1].compactMap { GNSSTime(nanosecondsSince1970: $0 * GNSSTime.nanosecondsPerDay * 40) }
          .map { LocalPeriod(.day, containing: $0)?.path(daily) }
        guard !days.contains(nil), Set(days).count == 2, daily.holds("%Y"), daily.holds("%m"),
          daily.holds("%d")
        else {
          throw ValidationError(
            "The path needs %Y, %m and %d, so that each day has a file: use a path such as tracks/%Y-%m-%d.gpx.")
        }
      } else if force, output == nil {
        throw ValidationError("--force requires --output or --daily.")
      }
      if isPicture {
        guard daily == nil, !places.place else {
          throw ValidationError("--daily and --place are not for pictures.")
        }
        if let path = Self.file(output), !LogPicture.isPicture(path) {
          throw ValidationError("A picture needs a file with the suffix .png or .svg.")
        }
        return
      }
      try Self.check(format, against: output ?? daily)
      if places.place {
        let format = format ?? output.flatMap { Self.format(of: $0) } ?? .gpx
        guard daily == nil, format == .csv || format == .geojson else {
          throw ValidationError("--place is for --format csv and geojson, without --daily.")
        }
      }
    }

    /// Rejects a format that contradicts the suffix of the file, and a suffix that names no format if no format is given.
    static func check(_ format: TrackFormat?, against output: String?) throws {
      if let output, format == nil, let suffix = Self.unknownSuffix(of: output) {
        throw ValidationError(
          "'\(TerminalText.sanitized(suffix))' is not the suffix of a format: use .gpx, .kml, .geojson, .csv or .nmea, or choose with "
            + "--format.")
      }
      if let output, let suffix = Self.format(of: output), let format, format != suffix {
        throw ValidationError(
          "The suffix of \(TerminalText.sanitized(output)) is that of \(suffix.rawValue), but --format is \(format.rawValue): use "
            + "only one of them.")
      }
    }

    func execute() -> CommandStatus {
      let zones: PrivacyZones
      do throws(CommandStatus) {
        zones = try hiding.zones()
      } catch {
        return error
      }
      if let daily { return writeDays(daily, zones) }
      if isPicture {
        return LogPicture(log: log.name, from: from, to: to, path: Self.file(output), replaces: force).write(
          zones, owner)
      }
      var run: LogExportRun
      do throws(FailureMessage) {
        run = LogExportRun(
          log: log.name, from: from, to: to, key: try owner.read(),
          format: format ?? output.flatMap { Self.format(of: $0) } ?? .gpx,
          path: Self.file(output))
        run.names = try places.names()
      } catch {
        return Diagnostics.report(error)
      }
      run.zones = zones
      let names = run.names
      run.replaces = force
      let status = CommandSession.withService(.automatic) { run.execute($0) }
        .confirmed(Self.file(output).map { "Wrote \(TerminalText.sanitized($0))." })
      // GeoJSON contains it.
      if run.format == .csv { names?.printAttributions() }
      return status
    }
  }
}

extension TrackFormat: ExpressibleByArgument {}

/// A format of `log export`: that of a track, or a picture.
enum ExportFormat: ExpressibleByArgument, Equatable {
  case track(TrackFormat)
  case png

  init?(argument: String) {
    if argument == "png" {
      self = .png
    } else if let format = TrackFormat(argument: argument) {
      self = .track(format)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { TrackFormat.allValueStrings + ["png"] }
}

import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService
import Regions
import TrackFormats

/// `locationctl log`: manages the logs of fixes that locationd records in the background.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Record positions in the background, and export them.",
    discussion: """
      locationd records the fixes. A log that you start is recorded until you stop it, even across reboots. Each log has a name; a command \
      without a name uses the log "default".
      """,
    subcommands: [
      Start.self, Stop.self, List.self, Show.self, Stats.self, Follow.self, Note.self, Export.self, Import.self,
      Rename.self, Remove.self, LogKeygenCommand.self,
    ])

  /// Sends a request to which the service only replies that it was executed or refused.
  static func send(
    _ request: LogRequest, purpose: String? = nil, needsAlways: Bool = false
  ) -> CommandStatus {
    CommandSession.withService(.automatic, purpose: purpose) { session in
      var limits = SingleRequestLimits.storage
      limits.needsAlways = needsAlways
      return session.request(.log(request), limits)
    }
  }

  /// Starts or stops a log, and reports what has changed.
  ///
  /// - Parameter sentence: gets whether the log was being recorded before.
  static func change(
    _ log: LogName, _ request: LogRequest, purpose: String? = nil, needsAlways: Bool = false,
    _ sentence: (_ wasRunning: Bool) -> String
  ) -> CommandStatus {
    var wasRunning = false
    let status = CommandSession.withService(.automatic, purpose: purpose) { session in
      if needsAlways { session.askForAuthorization(always: true) }
      return session.perform(
        .send(.logs) { logs in
          // A log that waits for a daemon is recorded as soon as one runs.
          wasRunning = logs.contains { $0.name == log.name && ($0.isRunning || $0.isInterrupted) }
          return .send(.log(request)) { .end(.done) }
        }, endsWithOutput: false, needsAlways: needsAlways)
    }
    return status.confirmed(sentence(wasRunning))
  }

  struct Start: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "start", abstract: "Start recording, or change the options of a log that is being recorded.")
    @OptionGroup var log: LogName
    @Option(
      help: ArgumentHelp("Record a fix only if it is at least this far from the one before.", valueName: "meters"),
      transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
    var distanceFilter: Double?
    @Option(
      help: ArgumentHelp(
        "Record a fix only if it is at least this much later than the one before.", valueName: "time"),
      transform: { try LogName.interval($0) })
    var interval: Double?
    @Option(
      help: ArgumentHelp("Record only fixes with at most this radius (68 %).", valueName: "meters"),
      transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
    var accuracy: Double?
    @Option(
      help: ArgumentHelp(
        "Keep the newest days or megabytes, such as 30d, 500MB or 2GB.",
        discussion: "The default is 1000MB, or a twentieth of the disk if that is less.", valueName: "amount"),
      transform: { try LogName.amount($0) })
    var keep: LogRetention?
    @Flag(help: "Record while standing still, too.")
    var standing = false
    @Flag(help: "Record suspect fixes, too: frozen, jammed or implausible ones.")
    var suspect = false
    @Option(
      help: ArgumentHelp(
        "Encrypt the log with this public key, or with the public key in this file. Only the secret key can decrypt the log.",
        discussion: "'locationctl log keygen' makes the keys. An encrypted log stays encrypted.", valueName: "key"))
    var seal: String?
    @OptionGroup var purpose: PurposeOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      var options = LogOptions()
      options.distanceFilter = distanceFilter.map { Meters($0) }
      options.interval = interval.map { .seconds($0) }
      options.desiredRadius68 = accuracy.map { Meters($0) }
      options.retention = keep
      options.keepsStandstill = standing
      options.keepsSuspects = suspect
      let key: String?
      do throws(FailureMessage) {
        key = try seal.map { argument throws(FailureMessage) in try LogKeyArgument.key(argument).text }
      } catch {
        return Diagnostics.report(error)
      }
      // A log also records while no user is logged in.
      let standstill =
        standing
        ? "" : " While the machine stands still, only the beginning and the end are recorded (--standing records all)."
      let begins =
        log.isPlain
        ? "Recording the log '\(log.shown)' in the background until 'locationctl log stop \(log.shown)'."
        : "Recording the log '\(log.shown)' in the background."
      return LogCommand.change(
        log, .start(name: log.name, options, publicKey: key), purpose: purpose.text, needsAlways: true
      ) { wasRunning in
        (wasRunning
          ? "The log '\(log.shown)' is already being recorded; it now has the options of this command." : begins)
          + standstill
      }
    }
  }

  struct Stop: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop recording. The recorded track is kept.")
    @OptionGroup var log: LogName

    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      LogCommand.change(log, .stop(name: log.name)) { wasRunning in
        let done = wasRunning ? "Stopped the log '\(log.shown)'" : "The log '\(log.shown)' was not being recorded"
        return done + (log.isPlain ? ": 'locationctl log export \(log.shown)' writes it as GPX." : ".")
      }
    }
  }

  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete a log and everything in it.",
      discussion: "A log that is being recorded is stopped first.")
    @Argument(help: ArgumentHelp("The name of the log.", valueName: "name"), completion: ServiceNames.logs)
    var name: String
    @OptionGroup var force: ForceOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      let shown = TerminalText.sanitized(name)
      if !force.force {
        let status = existence
        guard status == .done else { return status }
      }
      do throws(CommandStatus) {
        try force.permits("the log '\(shown)' and everything in it")
      } catch {
        return error
      }
      return LogCommand.send(.remove(name: name)).confirmed("Deleted the log '\(shown)'.")
    }

    /// Checks that there is such a log before the question whether to delete it.
    private var existence: CommandStatus {
      CommandSession.withService(.automatic) { session in
        session.request(.logs, .storage) { logs in
          let names = logs.map(\.name)
          return names.contains(name)
            ? .done : Diagnostics.report(FailureMessage(LogFailure.unknown(name: name, known: names)))
        }
      }
    }
  }

  /// `log list`, and its output format.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the logs: name, state, points, distance, period and size.")
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      CommandSession.withService(.automatic) { session in
        session.request(.logs, .storage) { logs in
          if logs.isEmpty { Diagnostics.print("There are no logs yet: start one with 'locationctl log start'.") }
          return Results.write(report.isJSON ? LogTable.jsonLines(logs) : LogTable.table(logs)) ?? .done
        }
      }
    }
  }

  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a log as GPX, KML, GeoJSON, CSV or NMEA.",
      discussion: """
        Heights are above sea level in GPX, KML and NMEA, above the WGS 84 ellipsoid in GeoJSON, and both in CSV. Times are \
        local unless they end in Z or an offset: 2026-03-01, 2026-03-01T12:30, 2026-03-01T12:30:00Z, 19:00, today, yesterday, \
        -2h (two hours ago). A date without a time in --to means the end of that day.
        """)
    @OptionGroup var log: LogName
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The output format: gpx, kml, geojson, csv or nmea. Default: the format of the output file's suffix, else gpx.",
        valueName: "format"))
    var format: TrackFormat?
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

/// The argument that selects a log.
struct LogName: ParsableArguments {
  @Argument(help: ArgumentHelp("The name of the log.", valueName: "name"), completion: ServiceNames.logs)
  var name = "default"

  /// The name, sanitized for output.
  var shown: String { TerminalText.sanitized(name) }

  /// Whether the name can be used in a command line without quotes.
  var isPlain: Bool {
    name.first != "-"
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  static func time(_ text: String, _ end: TimeArgument.End) throws -> GNSSTime {
    let now = WallClock.now()
    guard let time = TimeArgument.time(text, end, now: now) else {
      if TimeArgument.isOutOfRange(text, now: now) {
        throw ValidationError(
          "'\(TerminalText.sanitized(text))' is out of range: use a time from 1678-01-01 to 2262-04-10.")
      }
      throw ValidationError(
        "'\(TerminalText.sanitized(text))' is not a time: use a value such as 2026-03-01, 2026-03-01T12:30Z, 19:00, yesterday or -2h."
      )
    }
    return time
  }

  static func amount(_ text: String) throws -> LogRetention {
    guard let amount = LogRetention(text) else {
      throw ValidationError("Use 1 to 36500 days or 1MB to 1000GB, such as 30d, 500MB or 2GB.")
    }
    return amount
  }

  /// An interval in seconds, which the service stores in milliseconds.
  static func interval(_ text: String) throws -> Double {
    try Bounds.time(text, from: 0.001, upTo: Bounds.wait)
  }
}

extension TrackFormat: ExpressibleByArgument {}

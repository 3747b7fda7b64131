import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import TrackFormats

/// `locationctl log`: fixes recorded in the background, by locationd.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Record fixes in the background, and write what was recorded.",
    discussion: """
      locationd records; a log that was started is recorded until it is stopped, also after the machine has begun anew. \
      Several logs have names of their own; without one it is "default".
      """,
    subcommands: [Start.self, Stop.self, List.self, Export.self, Remove.self, LogKeygenCommand.self])

  /// A sync on a slow card may take seconds.
  private static let patience: Duration = .seconds(60)

  /// Asks something of the logs; `show` takes the list of them, where that is what was asked for.
  fileprivate static func ask(
    _ request: LogRequest, purpose: String? = nil,
    _ show: @escaping ([LogDescription]) -> CommandStatus = { _ in .done }
  ) -> CommandStatus {
    List.withService(.automatic, purpose: purpose) { host in
      let question = Question(host: host, patience: patience, remedy: Conversation.remedy)
      // It records also while nobody is there.
      if case .start = request { question.wishesAlways = true }
      return question.ask(.log(Question.id, request)) { event in
        guard case .log(Question.id, .logs(let logs)) = event else { return nil }
        return show(logs)
      }
    }
  }

  /// `log start`.
  struct Start: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "start", abstract: "Record from now on; or, where it is recorded, otherwise from now on.")
    @OptionGroup var log: LogName
    @Option(
      help: ArgumentHelp("Only fixes at least this far from the one before.", valueName: "metres"),
      transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "metres") })
    var distanceFilter: Double?
    @Option(
      help: ArgumentHelp("Only fixes at least this long after the one before.", valueName: "seconds"),
      transform: { try LogName.interval($0) })
    var interval: Double?
    @Option(
      help: ArgumentHelp("Only fixes with at most this radius (68 %).", valueName: "metres"),
      transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "metres") })
    var accuracy: Double?
    @Option(
      help: ArgumentHelp(
        "Keep the newest days or megabytes: 30d, 500MB, 2GB.",
        discussion: "The default is 1000MB, or a twentieth of the disk where that is less.", valueName: "amount"),
      transform: { try LogName.amount($0) })
    var keep: LogAmount?
    @Flag(help: "Record while standing still, too.")
    var standing = false
    @Flag(help: "Record fixes that are suspect (frozen, jammed, implausible), too.")
    var suspect = false
    @Option(
      help: ArgumentHelp(
        "Seal it: only who has the secret key can read it. A public key, or a file with one.",
        discussion: "As locationctl log keygen prints it. A log that is sealed stays so.", valueName: "key"))
    var seal: String?
    @OptionGroup var purpose: PurposeOption

    func execute() -> CommandStatus {
      var options = LogOptions()
      options.distanceFilter = distanceFilter.map { Meters($0) }
      options.interval = interval.map { .seconds($0) }
      options.desiredRadius68 = accuracy.map { Meters($0) }
      options.keeps = keep
      options.keepsStandstill = standing
      options.keepsSuspects = suspect
      do throws(FailureSentence) {
        options.seal = try seal.map { argument throws(FailureSentence) in try SealArgument.key(argument).text }
      } catch {
        return Diagnostics.end(error)
      }
      return LogCommand.ask(.start(name: log.name, options), purpose: purpose.text)
    }
  }

  /// `log stop`.
  struct Stop: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Record no more; what was recorded stays.")
    @OptionGroup var log: LogName

    func execute() -> CommandStatus { LogCommand.ask(.stop(name: log.name)) }
  }

  /// `log remove`.
  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete a log and all that was recorded in it.")
    @Argument(help: ArgumentHelp("Its name.", valueName: "name"))
    var name: String

    func execute() -> CommandStatus { LogCommand.ask(.remove(name: name)) }
  }

  /// `log list`, and what it is written as.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the logs there are.")
    @Flag(help: "One JSON object a line; so also in a pipe.")
    var json = false

    func execute() -> CommandStatus {
      LogCommand.ask(.list) { logs in
        if logs.isEmpty { Diagnostics.say("There is no log: begin one with locationctl log start.") }
        let asJSON = json || !Results.areForPeople
        return Results.write(asJSON ? LogTable.jsonLines(logs) : LogTable.table(logs)) ?? .done
      }
    }
  }

  /// `log export`.
  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write what was recorded as GPX, KML, GeoJSON, CSV or NMEA.",
      discussion: """
        Heights are above sea level in GPX, KML and NMEA, above the WGS 84 ellipsoid in GeoJSON, and both in CSV. Times are \
        in this machine's zone unless they end in Z or an offset: 2026-03-01, 2026-03-01T12:30, 2026-03-01T12:30:00Z.
        """)
    @OptionGroup var log: LogName
    @Option(help: ArgumentHelp("gpx, kml, geojson, csv or nmea.", valueName: "format"))
    var format = TrackFormat.gpx
    @Option(help: ArgumentHelp("The first time.", valueName: "time"), transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @Option(help: ArgumentHelp("The last time.", valueName: "time"), transform: { try LogName.time($0, .to) })
    var to: GNSSTime?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("A file to write, instead of stdout; it must not be there yet.", valueName: "file"))
    var output: String?
    @OptionGroup var owner: KeyOption

    func validate() throws {
      if let from, let to, from > to { throw ValidationError("--from lies after --to.") }
    }

    func execute() -> CommandStatus {
      let run: LogExportRun
      do throws(FailureSentence) {
        run = LogExportRun(log: log.name, from: from, to: to, key: try owner.read(), format: format, path: output)
      } catch {
        return Diagnostics.end(error)
      }
      return Self.withService(.automatic) { run.execute($0) }
    }
  }
}

/// Which log is meant.
struct LogName: ParsableArguments {
  @Argument(help: ArgumentHelp("Its name.", valueName: "name"))
  var name = "default"

  static func time(_ text: String, _ end: TimeArgument.End) throws -> GNSSTime {
    guard let time = TimeArgument.time(text, end) else {
      throw ValidationError(
        "'\(TerminalText.sanitized(text))' is no time: give 2026-03-01, 2026-03-01T12:30 or 2026-03-01T12:30:00Z.")
    }
    return time
  }

  static func amount(_ text: String) throws -> LogAmount {
    guard let amount = LogAmount(text) else {
      throw ValidationError("Give 1 to 36500 days or 1MB to 1000GB, such as 30d, 500MB or 2GB.")
    }
    return amount
  }

  /// Seconds of an interval, which is kept in thousandths.
  static func interval(_ text: String) throws -> Double {
    let seconds = try Bounds.positive(text, upTo: Bounds.wait, unit: "seconds")
    guard seconds >= 0.001 else { throw ValidationError("Give seconds from 0.001 on.") }
    return seconds
  }
}

extension TrackFormat: ExpressibleByArgument {}

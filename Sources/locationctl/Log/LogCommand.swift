import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import TrackFormats

/// `locationctl log`: manages the logs of fixes that locationd records in the background.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Record positions in the background, and export them.",
    discussion: """
      locationd records. A log that you start is recorded until you stop it, even across reboots. Each log has a name; a command \
      without a name uses the log "default".
      """,
    subcommands: [Start.self, Stop.self, List.self, Export.self, Remove.self, LogKeygenCommand.self])

  /// Sends a request that the service only carries out or refuses.
  fileprivate static func send(
    _ request: LogRequest, purpose: String? = nil, needsAlways: Bool = false
  ) -> CommandStatus {
    CommandSession.withService(.automatic, purpose: purpose) { session in
      var limits = SingleRequestLimits.storage
      limits.needsAlways = needsAlways
      return session.request(.log(request), limits)
    }
  }

  /// `log start`.
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
        "Record a fix only if it is at least this much later than the one before.", valueName: "seconds"),
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
      return LogCommand.send(.start(name: log.name, options, publicKey: key), purpose: purpose.text, needsAlways: true)
    }
  }

  /// `log stop`.
  struct Stop: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop recording. What was recorded stays.")
    @OptionGroup var log: LogName

    func execute() -> CommandStatus { LogCommand.send(.stop(name: log.name)) }
  }

  /// `log remove`.
  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete a log and everything in it.")
    @Argument(help: ArgumentHelp("The name of the log.", valueName: "name"))
    var name: String

    func execute() -> CommandStatus { LogCommand.send(.remove(name: name)) }
  }

  /// `log list`, and its output format.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the logs: name, state, period and size.")
    @Flag(help: "Print JSON on a terminal, too.")
    var json = false

    func execute() -> CommandStatus {
      CommandSession.withService(.automatic) { session in
        session.request(.logs, .storage) { logs in
          if logs.isEmpty { Diagnostics.print("There are no logs yet: start one with 'locationctl log start'.") }
          let asJSON = json || !Results.areForPeople
          return Results.write(asJSON ? LogTable.jsonLines(logs) : LogTable.table(logs)) ?? .done
        }
      }
    }
  }

  /// `log export`.
  struct Export: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a log as GPX, KML, GeoJSON, CSV or NMEA.",
      discussion: """
        Heights are above sea level in GPX, KML and NMEA, above the WGS 84 ellipsoid in GeoJSON, and both in CSV. Times are \
        local unless they end in Z or an offset: 2026-03-01, 2026-03-01T12:30, 2026-03-01T12:30:00Z. A date without a time after \
        --to means the end of that day.
        """)
    @OptionGroup var log: LogName
    @Option(help: ArgumentHelp("The output format: gpx, kml, geojson, csv or nmea.", valueName: "format"))
    var format = TrackFormat.gpx
    @Option(
      help: ArgumentHelp("The beginning of the period.", valueName: "time"), transform: { try LogName.time($0, .from) })
    var from: GNSSTime?
    @Option(help: ArgumentHelp("The end of the period.", valueName: "time"), transform: { try LogName.time($0, .to) })
    var to: GNSSTime?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Write to this new file instead of standard output. It must not exist.", valueName: "file"))
    var output: String?
    @OptionGroup var owner: KeyOption
    @OptionGroup var plain: PlainOption

    func validate() throws {
      if let from, let to, from > to { throw ValidationError("--from is later than --to: exchange them.") }
    }

    func execute() -> CommandStatus {
      let run: LogExportRun
      do throws(FailureMessage) {
        run = LogExportRun(log: log.name, from: from, to: to, key: try owner.read(), format: format, path: output)
      } catch {
        return Diagnostics.report(error)
      }
      return CommandSession.withService(.automatic) { run.execute($0) }
    }
  }
}

/// The argument that selects a log.
struct LogName: ParsableArguments {
  @Argument(help: ArgumentHelp("The name of the log.", valueName: "name"))
  var name = "default"

  static func time(_ text: String, _ end: TimeArgument.End) throws -> GNSSTime {
    guard let time = TimeArgument.time(text, end) else {
      throw ValidationError(
        "'\(TerminalText.sanitized(text))' is not a time: give for example 2026-03-01, 2026-03-01T12:30 or 2026-03-01T12:30:00Z."
      )
    }
    return time
  }

  static func amount(_ text: String) throws -> LogRetention {
    guard let amount = LogRetention(text) else {
      throw ValidationError("Give 1 to 36500 days or 1MB to 1000GB, such as 30d, 500MB or 2GB.")
    }
    return amount
  }

  /// An interval in seconds, which the service keeps in milliseconds.
  static func interval(_ text: String) throws -> Double {
    let seconds = try Bounds.positive(text, upTo: Bounds.wait, unit: "seconds")
    guard seconds >= 0.001 else { throw ValidationError("Give at least 0.001 seconds.") }
    return seconds
  }
}

extension TrackFormat: ExpressibleByArgument {}

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
  /// - Parameter sentence: gets the log as it was before; `nil`: there was none of this name.
  static func change(
    _ log: LogName, _ request: LogRequest, purpose: String? = nil, needsAlways: Bool = false,
    _ sentence: (_ before: LogDescription?) -> String
  ) -> CommandStatus {
    var before: LogDescription?
    let status = CommandSession.withService(.automatic, purpose: purpose) { session in
      if needsAlways { session.askForAuthorization(always: true) }
      return session.perform(
        .send(.logs) { logs in
          before = logs.first { $0.name == log.name }
          return .send(.log(request)) { .end(.done) }
        }, endsWithOutput: false, needsAlways: needsAlways)
    }
    return status.confirmed(sentence(before))
  }

  /// A log that waits for a daemon is recorded as soon as one runs.
  private static func isRecorded(_ log: LogDescription?) -> Bool {
    log.map { $0.isRunning || $0.isInterrupted } ?? false
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
      let end = log.isPlain ? " until 'locationctl log stop \(log.shown)'." : "."
      return LogCommand.change(
        log, .start(name: log.name, options, publicKey: key), purpose: purpose.text, needsAlways: true
      ) { before in
        let sentence =
          if LogCommand.isRecorded(before) {
            "The log '\(log.shown)' is already being recorded; it now has the options of this command."
          } else if let before {
            "The log '\(log.shown)' continues\(Self.content(of: before)): recording in the background\(end)"
          } else {
            "Recording the log '\(log.shown)' in the background\(end)"
          }
        return sentence + standstill
      }
    }

    /// What a log contains to which new fixes are added.
    private static func content(of log: LogDescription) -> String {
      log.points.map { " after \(CountedNoun.text($0, "point"))" } ?? ""
    }
  }

  struct Stop: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop recording. The recorded track is kept.")
    @OptionGroup var log: LogName

    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      LogCommand.change(log, .stop(name: log.name)) { before in
        let done =
          LogCommand.isRecorded(before)
          ? "Stopped the log '\(log.shown)'" : "The log '\(log.shown)' was not being recorded"
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

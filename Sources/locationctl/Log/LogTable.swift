import Geodesy
import LinuxIO
package import LocationIPC
import LocationPolicy
import LocationdConfiguration
import TrackFormats

/// The list of logs: a table for people, one JSON object per line for scripts.
package enum LogTable {
  package static func jsonLines(_ logs: [LogDescription]) -> [UInt8] { logs.flatMap { object($0).line } }

  package static func table(_ logs: [LogDescription], _ look: Presentation = .ofReports) -> [UInt8] {
    guard !logs.isEmpty else { return [] }
    let times = LogTimes(logs, look)
    let rows = logs.map { log in
      [
        StyledText(TerminalText.sanitized(log.name)), state(log, look), "\(log.points.map { String($0) } ?? "-")",
        "\(log.distance.map { TrackReport.length($0) } ?? "-")", times.text(log.begin, of: log),
        times.end(of: log), "\(shownSize(log))", "\(settings(of: log))",
      ]
    }
    let titles: [StyledText] = [
      "LOG", "STATE", "POINTS", "DISTANCE", "\(times.title("FROM"))", "\(times.title("TO"))", "SIZE", "RECORDS",
    ]
    return TextTable.aligned([titles] + rows, look, rightAligned: [2, 3, 6])
  }

  /// The logs as rows of `status`, without column titles.
  static func rows(_ logs: [LogDescription], _ look: Presentation) -> [[StyledText]] {
    let times = LogTimes(logs, look)
    let hasLength = logs.contains { $0.distance != nil }
    return logs.map { log in
      let begin = log.begin.map { _ in "since " + times.text(log.begin, of: log, withZone: true) } ?? "no fix yet"
      let length: StyledText = "\(log.distance.map { TrackReport.length($0) } ?? "-")"
      return [StyledText(TerminalText.sanitized(log.name)), state(log, look)] + (hasLength ? [length] : [])
        + ["\(shownSize(log))", begin, "\(settings(of: log))"]
    }
  }

  static func object(_ log: LogDescription) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(log.name))
    object.add("running", .flag(log.isRunning))
    object.add("state", .text(stateKey(log)))
    object.add("begin", .text(log.begin.flatMap { time($0, of: log) }))
    object.add("end", .text(log.end.flatMap { time($0, of: log) }))
    object.add("bytes", .number(log.bytes))
    object.add("points", .number(log.points))
    object.add("distance", .number(log.distance?.value, decimals: 1))
    object.add("distanceFilter", .number(log.options.distanceFilter?.value, decimals: 2))
    object.add("interval", .number(log.options.interval?.inSeconds, decimals: 3))
    object.add("accuracy", .number(log.options.desiredRadius68?.value, decimals: 2))
    object.add("standing", .flag(log.options.keepsStandstill))
    object.add("suspect", .flag(log.options.keepsSuspects))
    switch log.options.retention {
    case .days(let count)?: object.add("keepDays", .number(count))
    case .megabytes(let count)?: object.add("keepMegabytes", .number(count))
    case nil: break
    }
    object.add("sealedTo", .text(log.publicKey))
    object.add("problem", .text(log.problem.map { FailureMessage.clause($0) }))
    return object
  }

  static func stateKey(_ log: LogDescription) -> String {
    if log.isInterrupted { return "interrupted" }
    guard log.isRunning else { return "stopped" }
    return log.problem == nil ? "recording" : "failing"
  }

  private static func state(_ log: LogDescription, _ look: Presentation) -> StyledText {
    if log.isInterrupted { return .bad("\(look.cross) interrupted: locationd is not running") }
    guard log.isRunning else { return .dim("\(look.hollowDot) stopped") }
    return log.problem.map { .bad("\(look.cross) not recorded: \(FailureMessage.clause($0))") }
      ?? .good("\(look.dot) recording\(log.points == 0 ? ": no fix yet" : "")")
  }

  /// The first fixes of a log stay in memory for up to half a minute before they are written.
  private static func shownSize(_ log: LogDescription) -> String {
    log.bytes == 0 && (log.points ?? 0) > 0 ? "in memory" : size(log.bytes)
  }

  /// For an encrypted log, only the days are known.
  private static func time(_ time: GNSSTime, of log: LogDescription) -> String? {
    Timestamp(time).map { log.publicKey == nil ? $0.iso8601 : String($0.iso8601.prefix(10)) }
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) B"
    // Kilobytes below 10 MB, where two different sizes would look the same in megabytes.
    case ..<10_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }

  /// `2 h`, `5 min`, `90 s`, or seconds with a fraction.
  private static func text(_ interval: Duration) -> String {
    let seconds = interval.inSeconds
    guard seconds == seconds.rounded() else { return "\(seconds) s" }
    let whole = Int(seconds)
    return whole % 3600 == 0 ? "\(whole / 3600) h" : whole % 60 == 0 ? "\(whole / 60) min" : "\(whole) s"
  }

  private static func settings(of log: LogDescription) -> String {
    let options = log.options
    var parts: [String] = []
    let gaps = [options.distanceFilter.map { "\($0.value) m" }, options.interval.map { Self.text($0) }].compactMap(
      \.self)
    if !gaps.isEmpty { parts.append("fixes at least \(gaps.joined(separator: " and ")) apart") }
    if let radius = options.desiredRadius68 { parts.append("radius at most \(radius.value) m") }
    switch options.retention {
    case .days(let count)?: parts.append("keeps \(CountedNoun.text(count, "day"))")
    case .megabytes(let count)?: parts.append("keeps \(count) MB")
    case nil: break
    }
    let records = [options.distanceFilter?.value, options.interval?.inSeconds, options.desiredRadius68?.value]
    if records.allSatisfy({ $0 == nil }) {
      parts.insert(options.keepsStandstill ? "every fix" : "every fix while moving", at: 0)
    } else if options.keepsStandstill {
      parts.append("also while standing still")
    }
    if options.keepsSuspects { parts.append("also suspect fixes") }
    if log.publicKey != nil { parts.append("encrypted") }
    return parts.joined(separator: ", ")
  }
}

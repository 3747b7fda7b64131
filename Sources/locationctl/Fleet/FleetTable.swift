package import FleetDestinations
import Geodesy
import LinuxIO
import LocationIPC
import TrackFormats

/// The list of destinations: a table for people, one JSON object per line for scripts.
package enum FleetTable {
  package static func jsonLines(_ reports: [FleetReport]) -> [UInt8] { reports.flatMap { object($0).line } }

  package static func table(_ reports: [FleetReport], _ look: Presentation = .ofReports) -> [UInt8] {
    guard !reports.isEmpty else { return [] }
    let titles: [StyledText] = ["DESTINATION", "STATE", "WAITING", "OLDEST", "CONFIRMED", "LOST", "ADDRESS"]
    let now = WallClock.now()
    let rows = reports.map { report -> [StyledText] in
      [
        StyledText(clean(report.name)), state(report, look), "\(report.waiting)", "\(age(report.oldest, now) ?? "-")",
        "\(age(report.lastAcknowledged, now).map { "\($0) ago" } ?? "-")",
        lost(report), "\(clean(report.address))",
      ]
    }
    var bytes = TextTable.aligned([titles] + rows, look, rightAligned: [2, 5])
    for report in reports {
      guard let sentence = FleetProblemText.sentence(report) else { continue }
      bytes += TextTable.bytes(
        TextTable.wrapped("\(clean(report.name)): \(sentence)", within: look.width ?? .max), look)
    }
    return bytes
  }

  /// The destinations as rows of `status`, without column titles.
  static func rows(_ reports: [FleetReport], _ look: Presentation) -> [[StyledText]] {
    let now = WallClock.now()
    return reports.map { report -> [StyledText] in
      let waiting = report.waiting == 0 ? "nothing waits" : "\(report.waiting) waiting"
      let confirmed = age(report.lastAcknowledged, now).map { "confirmed \($0) ago" } ?? "nothing confirmed yet"
      return [
        StyledText(clean(report.name)), state(report, look), "\(waiting)", "\(confirmed)", "\(clean(report.address))",
      ]
    }
  }

  static func object(_ report: FleetReport) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(report.name))
    object.add("address", .text(report.address))
    object.add("kind", .text(report.kind.name))
    object.add("state", .text(report.state.name))
    object.add("problem", .text(report.problem?.name))
    object.add("reply", .number(FleetProblemText.code(of: report.reply)))
    object.add("sentence", .text(FleetProblemText.sentence(report)))
    object.add("waiting", .number(report.waiting))
    object.add("oldest", .text(stamp(report.oldest)))
    object.add("confirmed", .text(stamp(report.lastAcknowledged)))
    if let lost = report.lost {
      object.add("lost", .number(lost.count))
      object.add("lostFrom", .text(stamp(lost.from)))
      object.add("lostTo", .text(stamp(lost.to)))
    }
    object.add("setAside", .number(report.setAside))
    object.add("bytes", .number(report.bytes))
    object.add("mqttVersion", .number(report.version.flatMap { $0 > 0 ? Int($0) : nil }))
    object.add("reduced", .flag(report.isReduced))
    object.add("encrypted", .flag(!report.isUnencrypted))
    object.add("pausedUntil", .text(stamp(report.pausedUntil)))
    object.add("clockUnsure", .flag(report.isClockUnsure))
    object.add("unrecorded", .number(report.unrecorded == 0 ? nil : report.unrecorded))
    return object
  }

  private static func lost(_ report: FleetReport) -> StyledText {
    guard let lost = report.lost else { return "-" }
    return .bad("\(lost.count)")
  }

  private static func state(_ report: FleetReport, _ look: Presentation) -> StyledText {
    switch report.state {
    case .idle: .dim("\(look.hollowDot) idle")
    case .connecting: "\(look.hollowDot) connecting"
    case .connected: .good("\(look.dot) connected")
    case .waiting: .warning("\(look.cross) tried again later")
    case .paused: .dim("\(look.hollowDot) paused")
    case .resting: .dim("\(look.hollowDot) outside of its schedule")
    case .refused: .bad("\(look.cross) refused")
    case .unheard: .warning("\(look.cross) nobody subscribed")
    case .notAllowed: .bad("\(look.cross) no access to the location")
    }
  }

  private static func age(_ time: GNSSTime?, _ now: GNSSTime) -> String? {
    time.map { StatusTable.time(max(.zero, now - $0)) }
  }

  private static func stamp(_ time: GNSSTime?) -> String? { time.flatMap { Timestamp($0)?.iso8601 } }

  private static func clean(_ text: String) -> String { TerminalText.sanitized(text) }
}

import Geodesy
import LocationIPC
import TrackFormats

/// The times of a list of logs: the zone is in the title of the column if it is the same for all times, otherwise after
/// each time.
struct LogTimes {
  private let look: Presentation
  /// `nil` if there are several zones, as in a list that begins in summer and ends in winter.
  private let zone: String?

  init(_ logs: [LogDescription], _ look: Presentation) {
    self.look = look
    let times = logs.filter { $0.publicKey == nil }.flatMap { [$0.begin, $0.end].compactMap(\.self) }
    let zones = Set(times.compactMap { TimeText.minute($0, look)?.zone })
    zone = zones.count > 1 ? nil : zones.first ?? (look.showsLocalTime ? "" : "UTC")
  }

  /// `FROM (UTC)`.
  func title(_ name: String) -> String { (zone ?? "").isEmpty ? name : "\(name) (\(zone ?? ""))" }

  /// - Parameter withZone: whether the zone follows the time in any case.
  func text(_ time: GNSSTime?, of log: LogDescription, withZone: Bool = false) -> StyledText {
    guard let time else { return "-" }
    // For an encrypted log, only the days are known, in UTC.
    if log.publicKey != nil { return "\(Timestamp(time).map { String($0.iso8601.prefix(10)) } ?? "-")" }
    let text = !withZone && Self.isShort(log) ? TimeText.second(time, look) : TimeText.minute(time, look)
    guard let shown = text else { return "-" }
    return zone == nil || withZone ? "\(shown.text) \(shown.zone)" : "\(shown.text)"
  }

  /// Whether minutes would not show how long the log is.
  private static func isShort(_ log: LogDescription) -> Bool {
    guard let begin = log.begin, let end = log.end else { return false }
    return end - begin < .seconds(600)
  }
}

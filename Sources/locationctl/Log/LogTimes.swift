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
    guard let minute = TimeText.minute(time, look) else { return "-" }
    return zone == nil || withZone ? "\(minute.text) \(minute.zone)" : "\(minute.text)"
  }
}

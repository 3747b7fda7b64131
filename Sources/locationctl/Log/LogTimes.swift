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

  /// The end of a log; of one of less than ten minutes, whose times would hardly differ, how long it is: `4 min 32 s later`.
  func end(of log: LogDescription) -> StyledText {
    guard log.publicKey == nil, let begin = log.begin, let end = log.end, begin < end, end - begin < .seconds(600)
    else { return text(log.end, of: log) }
    let (minutes, seconds) = Int((end - begin).inSeconds).quotientAndRemainder(dividingBy: 60)
    return minutes == 0 ? "\(seconds) s later" : "\(minutes) min \(seconds) s later"
  }
}

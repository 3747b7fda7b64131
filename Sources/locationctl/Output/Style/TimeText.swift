package import Geodesy
import LinuxIO
import TrackFormats

/// Times for people: local with their zone on a terminal, UTC elsewhere.
package enum TimeText {
  /// `2026-03-01 13:34:56 CET`; in UTC: ISO 8601 with milliseconds.
  package static func moment(_ time: GNSSTime, _ look: Presentation) -> String? {
    guard look.showsLocalTime else { return Timestamp(time)?.iso8601 }
    return local(time).map { "\($0.text.prefix(19)) \($0.zone)" }
  }

  /// `2026-03-01 13:34`, and its zone.
  package static func minute(_ time: GNSSTime, _ look: Presentation) -> (text: String, zone: String)? {
    guard look.showsLocalTime else {
      return Timestamp(time).map { (text: String($0.iso8601.prefix(16).substituting("T", with: " ")), zone: "UTC") }
    }
    return local(time).map { (text: String($0.text.prefix(16)), zone: $0.zone) }
  }

  /// `13:34:56.789 CET`; in UTC: without the zone, so that the format of lines in a pipe stays the same.
  package static func clock(_ time: GNSSTime, _ look: Presentation) -> String? {
    guard look.showsLocalTime else { return Timestamp(time)?.clock }
    return local(time).map { "\($0.text.dropFirst(11).prefix(12)) \($0.zone)" }
  }

  /// `13:34:56 CET`, or `12:34:56 UTC`.
  package static func seconds(_ time: GNSSTime, _ look: Presentation) -> String? {
    guard look.showsLocalTime else { return Timestamp(time).map { "\($0.clock.prefix(8)) UTC" } }
    return local(time).map { "\($0.text.dropFirst(11).prefix(8)) \($0.zone)" }
  }

  /// `2026-03-01 13:34:56.789`, and the zone. The callers truncate seconds instead of rounding them, as every clock
  /// does.
  private static func local(_ time: GNSSTime) -> (text: String, zone: String)? {
    guard let local = LocalTime.clock(of: time), let text = Timestamp(local.clock)?.iso8601 else { return nil }
    return (String(text.dropLast().substituting("T", with: " ")), TerminalText.sanitized(local.zone, limit: 12))
  }
}

package import Geodesy
import LinuxIO
import TrackFormats

/// Times on the command line: `2026-03-01`, `2026-03-01T12:34`, `2026-03-01 12:34:56.7`; local time unless they end in `Z` or a UTC
/// offset.
package enum TimeArgument {
  /// Which end of a range a text means that names only a day or a minute.
  package enum End: Hashable, Sendable { case from, to }

  /// The time that `text` names; `nil` if it is not a time. A range includes the whole day or minute at either end.
  package static func time(_ text: String, _ end: End) -> GNSSTime? {
    var bytes = Array(text.utf8)
    var span = Duration.zero
    if bytes.count == 10 || (bytes.count == 11 && bytes[10] == UInt8(ascii: "Z")) {
      bytes.insert(contentsOf: "T00:00:00".utf8, at: 10)
      span = .seconds(86_400)
    } else if bytes.count == 16 || (bytes.count > 16 && bytes[16] != UInt8(ascii: ":")) {
      bytes.insert(contentsOf: ":00".utf8, at: 16)
      span = .seconds(60)
    }
    guard let reading = DateTimeText.parse(String(decoding: bytes, as: UTF8.self)) else { return nil }
    // Computes the end of a local day from the calendar, because a day may have 23 hours.
    let clock = end == .to && span > .zero ? reading.clock + span + .nanoseconds(-1) : reading.clock
    if let offset = reading.offset { return clock + (.zero - offset) }
    return LocalTime.utc(of: clock)
  }
}

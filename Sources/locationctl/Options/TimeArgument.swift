package import Geodesy
import LinuxIO
import TrackFormats

/// Times on the command line: `2026-03-01`, `2026-03-01T12:34`, `2026-03-01 12:34:56.7`, local unless they end in `Z` or
/// tell their zone.
package enum TimeArgument {
  /// Which end of a range is meant, where a text names a day or a minute.
  package enum End: Hashable, Sendable { case from, to }

  /// The time that `text` tells; `nil` where it tells none. A whole day or minute belongs to the range at either end.
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
    // The end of a local day is found on the clock: a day of 23 hours ends too.
    let clock = end == .to && span > .zero ? reading.clock + span + .nanoseconds(-1) : reading.clock
    if let offset = reading.offset { return clock + (.zero - offset) }
    return LocalTime.utc(of: clock)
  }
}

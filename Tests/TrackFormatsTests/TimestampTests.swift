import Geodesy
import Testing
import TrackFormats

@Suite struct TimestampTests {
  private func timestamp(_ nanoseconds: Int64) -> Timestamp? { Timestamp(GNSSTime(nanosecondsSince1970: nanoseconds)) }

  @Test func writesUTCWithMilliseconds() {
    #expect(timestamp(0)?.iso8601 == "1970-01-01T00:00:00.000Z")
    #expect(timestamp(1_772_368_496_789_000_000)?.iso8601 == "2026-03-01T12:34:56.789Z")
    #expect(timestamp(-1_000_000)?.iso8601 == "1969-12-31T23:59:59.999Z")
  }

  /// Receivers report a whole second as a few nanoseconds less: the carry must reach the year.
  @Test func roundsOnceThroughEveryPart() {
    let almostNewYear = 1_767_225_600_000_000_000 - 100_000 as Int64
    #expect(timestamp(almostNewYear)?.iso8601 == "2026-01-01T00:00:00.000Z")
    var bytes: [UInt8] = []
    timestamp(almostNewYear)?.appendNMEADate(to: &bytes)
    timestamp(almostNewYear)?.appendNMEATime(to: &bytes)
    timestamp(almostNewYear)?.appendISO8601(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "010126000000.0002026-01-01T00:00:00.000Z")
  }

  @Test func endsOfTheCountAreReported() {
    #expect(timestamp(.max)?.iso8601 == "2262-04-11T23:47:16.854Z")
    #expect(timestamp(.min) == nil)
    #expect(timestamp(.min + 2 * GNSSTime.nanosecondsPerDay)?.iso8601 == "1677-09-23T00:12:43.145Z")
  }
}

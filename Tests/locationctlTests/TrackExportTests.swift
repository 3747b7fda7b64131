import Geodesy
import LinuxIO
import Testing
import TrackFormats
import locationctl

@Suite struct TrackExportTests {
  @Test(arguments: TrackFormat.allCases) func writesTheWholeDocumentInPieces(format: TrackFormat) {
    let entries = (0..<3000).map { index in
      TrackEntry.fix(SampleFix.with { $0.time = $0.time + .seconds(index) }.fix)
    }
    var document = TrackDocument(format)
    var whole: [UInt8] = []
    for entry in entries { document.write(entry, to: &whole) }
    document.finish(to: &whole)

    var pieces: [[UInt8]] = []
    var export = TrackExport(format) { piece in
      pieces.append(piece)
      return nil
    }
    for entry in entries { #expect(export.add(entry) == nil) }
    #expect(export.finish() == .done)
    #expect(Array(pieces.joined()) == whole)
    #expect(pieces.count >= 2)
  }

  @Test func aReaderThatGoesEndsIt() {
    var export = TrackExport(.csv) { _ in .done }
    let taken = (0..<10_000).first { _ in export.add(.fix(SampleFix.full.fix)) != nil }
    #expect(taken != nil)
  }

  @Test(arguments: [
    ("2026-03-01T12:34:56Z", TimeArgument.End.from, 1_772_368_496_000_000_000),
    ("2026-03-01 12:34:56.5+01:00", .from, 1_772_364_896_500_000_000),
    ("2026-03-01T12:34Z", .from, 1_772_368_440_000_000_000), ("2026-03-01T12:34Z", .to, 1_772_368_499_999_999_999),
    ("2026-03-01T12:34-01:00", .from, 1_772_372_040_000_000_000),
    ("2026-03-01Z", .from, 1_772_323_200_000_000_000), ("2026-03-01Z", .to, 1_772_409_599_999_999_999),
  ]) func times(text: String, end: TimeArgument.End, nanoseconds: Int64) {
    #expect(TimeArgument.time(text, end, now: now)?.nanosecondsSince1970 == nanoseconds)
  }

  /// 2026-03-01T12:34:56Z.
  private let now = GNSSTime(nanosecondsSince1970: 1_772_368_496_000_000_000)

  /// Words mean the same as the local date and time that they stand for.
  @Test(arguments: [
    ("today", TimeArgument.End.from, 0, "T00:00:00"), ("today", .to, 0, "T23:59:59.999999999"),
    ("yesterday", .from, -1, "T00:00:00"), ("yesterday", .to, -1, "T23:59:59.999999999"),
    ("yesterday 19:00", .from, -1, "T19:00:00"), ("todayT07:30", .to, 0, "T07:30:59.999999999"),
    ("19:00", .from, 0, "T19:00:00"), ("19:00:05", .to, 0, "T19:00:05"), ("19:00", .to, 0, "T19:00:59.999999999"),
  ]) func words(text: String, end: TimeArgument.End, days: Int, clock: String) throws {
    let today = try #require(LocalTime.clock(of: now)?.clock.date)
    let day = try #require(CalendarDate(daysSince1970: today.daysSince1970 + days))
    let date = [(Int(day.year), 4), (Int(day.month), 2), (Int(day.day), 2)].map { number, width in
      String(repeating: "0", count: width - String(number).count) + String(number)
    }
    let meant = try #require(TimeArgument.time(date.joined(separator: "-") + clock, .from, now: now))
    #expect(TimeArgument.time(text, end, now: now) == meant)
  }

  @Test func timesBeforeNow() {
    #expect(TimeArgument.time("now", .from, now: now) == now)
    #expect(TimeArgument.time("-2h", .from, now: now) == now + .seconds(-7200))
    #expect(TimeArgument.time("-1h30m", .to, now: now) == now + .seconds(-5400))
  }

  @Test(arguments: [
    "", "Z", "noon", "tomorrow", "todayish", "yesterday noon", "-", "-2", "--2h", "-2x", "25:00", "19:0", "19:00:61",
    "2026-13-01", "2026-02-30Z", "2026-03-01T25:00Z", "2026-03-01T12:34:56ZZ", "2026-3-1",
  ])
  func invalidTimes(text: String) {
    #expect(TimeArgument.time(text, .from, now: now) == nil)
    #expect(TimeArgument.time(text, .to, now: now) == nil)
  }
}

import Geodesy
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
    #expect(TimeArgument.time(text, end)?.nanosecondsSince1970 == nanoseconds)
  }

  @Test(arguments: [
    "", "Z", "noon", "2026-13-01", "2026-02-30Z", "2026-03-01T25:00Z", "2026-03-01T12:34:56ZZ", "2026-3-1",
  ])
  func invalidTimes(text: String) {
    #expect(TimeArgument.time(text, .from) == nil)
    #expect(TimeArgument.time(text, .to) == nil)
  }
}

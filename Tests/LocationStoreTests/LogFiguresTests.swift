import Foundation
import Geodesy
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// The figures of logs with recorded and imported parts, compared with those of the track that is read.
@Suite struct LogFiguresTests {
  private let place: Place
  private var folder: TrackFolder { TrackFolder(place.path) }
  private var figures = LogFigures()

  private final class Place {
    let path = NSTemporaryDirectory() + "figures-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  init() throws { place = try Place() }

  private func files() throws -> LogFigures.Files {
    LogFigures.Files(segments: try folder.segments(), days: try ImportedFolder(of: folder).days())
  }

  private mutating func sum(budget: Int = .max, current: [Int: TrackFigures] = [:]) throws -> TrackFigures? {
    var budget = budget
    return figures.sum(of: folder, try files(), current: current, isChanging: false, budget: &budget, flush: {})
  }

  /// The figures of the whole track, read from beginning to end.
  private func read() throws -> TrackFigures {
    var figures = TrackFigures()
    for entry in try LocationStoreTests.read(folder).entries { figures.add(entry) }
    return figures
  }

  /// Whether two figures agree up to the digits of a file.
  private func agree(_ one: TrackFigures?, _ other: TrackFigures) -> Bool {
    guard let one else { return false }
    return one.points == other.points && (one.distance.value - other.distance.value).magnitude < 0.01
      && one.begin == other.begin && one.end == other.end
  }

  @discardableResult
  private func importFixes(_ seconds: some Sequence<Double>, latitude: Double = 46) throws -> TrackImporter {
    var importer = TrackImporter(
      into: folder, log: "test", retention: .megabytes(1000), freeShare: 0, now: nil)
    for second in seconds {
      var fix = LoggedDrive.fix(0)
      fix.time = LoggedDrive.fix(0).time + .milliseconds(Int64(second * 1000))
      fix.coordinate.latitude.degrees = latitude + second * 1e-6
      importer.add(.fix(fix))
    }
    while importer.waiting > 0 { try importer.flush() }
    return importer
  }

  // MARK: - The same as the track

  @Test mutating func importedDaysAreCounted() throws {
    try importFixes(stride(from: 0, to: 3 * 86_400, by: 60))
    let whole = try read()
    #expect(whole.points == 4320 && whole.distance > Meters(10_000))
    let found1 = try sum()
    #expect(agree(found1, whole))
    // The second time nothing is read.
    let found2 = try sum(budget: 0)
    #expect(agree(found2, whole))
  }

  /// Seconds after the beginning of the recording, which lasts 300 s, and goes on after two days.
  private static let begins: [[Double]] = [
    [-5000], [90_000], [-30], [340], [50], [-90_000, 50, 400_000], [-100, 302, 420], [172_820], [299, 322],
    [-40, 172_770], [86_400],
  ]

  /// Imported before, after and between recorded segments, a long and a short time away, and at the same time.
  @Test(arguments: begins)
  mutating func importedAndRecordedPartsAreOneTrack(begins: [Double]) throws {
    try write(3000, to: folder)
    var writer = try TrackWriter(folder: folder, .test())
    for number in 0..<300 {
      var fix = LoggedDrive.fix(number)
      fix.time = fix.time + .seconds(2 * 86_400)
      try writer.append(.fix(fix))
      if number == 150 { try writer.append(.interruption(.gap)) }
    }
    try writer.append(.interruption(.paused))
    try writer.close()
    for begin in begins { try importFixes((0..<20).map { begin + Double($0) }) }
    let whole = try read()
    #expect(whole.points == 3300 + 20 * begins.count)
    let found3 = try sum()
    #expect(agree(found3, whole), "\(String(describing: found3)) \(whole)")
    let found4 = try sum(budget: 0)
    #expect(agree(found4, whole))
  }

  /// Days and segments at random, also with a clock that was set back.
  @Test mutating func anyMixtureAgrees() throws {
    var random = SplitMix64(seed: 11)
    for round in 0..<30 {
      try? FileManager.default.removeItem(atPath: place.path)
      figures = LogFigures()
      var expected = 0
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let offset = Int.random(in: 0...(round % 3 == 0 ? 4000 : 500_000), using: &random)
        var writer = try TrackWriter(folder: folder, .test())
        let count = Int.random(in: 1...400, using: &random)
        for number in 0..<count {
          var fix = LoggedDrive.fix(number)
          fix.time = fix.time + .seconds(offset)
          if Int.random(in: 0..<50, using: &random) == 0 { try writer.append(.interruption(.gap)) }
          try writer.append(.fix(fix))
        }
        try writer.close()
        expected += count
      }
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let offset = Double.random(in: 0...(round % 3 == 0 ? 4000 : 500_000), using: &random).rounded()
        let seconds = (0..<Int.random(in: 1...200, using: &random)).map { offset + Double($0) * 7 }
        expected += try importFixes(seconds, latitude: Double(Int.random(in: 40...50, using: &random))).added
      }
      let whole = try read()
      #expect(whole.points == expected)
      let found5 = try sum()
      #expect(agree(found5, whole), "round \(round): \(String(describing: found5)) \(whole)")
    }
  }

  // MARK: - What is read

  @Test mutating func onlyADayThatHasChangedIsReadAgain() throws {
    try importFixes((0..<100).map { Double($0) * 3600 })
    let first = try sum()
    let all = try #require(first)
    #expect(all.points == 100)
    try importFixes([86_400 * 2 + 17])
    let day = try #require(try files().days.map(\.size).max())
    let found6 = try sum(budget: 0)
    #expect(found6 == nil)
    let found7 = try sum(budget: day)
    let whole7 = try read()
    #expect(agree(found7, whole7))
    // A day that was deleted does not count.
    try FileManager.default.removeItem(
      atPath: ImportedFolder(of: folder).path(of: try #require(try files().days.first?.date)))
    let found8 = try sum(budget: 0)
    let whole8 = try read()
    #expect(agree(found8, whole8))
  }

  @Test mutating func anImportKnowsItsFigures() throws {
    var importer = try importFixes((0..<100).map { Double($0) * 3600 })
    let written = importer.takeFigures()
    let days = try files().days
    #expect(Set(written.keys) == Set(days.map(\.date)))
    for day in days { figures.note(try #require(written[day.date]), of: day) }
    let found9 = try sum(budget: 0)
    let whole9 = try read()
    #expect(agree(found9, whole9))
  }

  /// What is being recorded counts before it has a file.
  @Test mutating func theCurrentSegmentCounts() throws {
    try importFixes([-5000, -4990])
    var writer = try TrackWriter(folder: folder, .test())
    for number in 0..<50 { try writer.append(.fix(LoggedDrive.fix(number))) }
    let found10 = try sum(current: writer.figures)
    #expect(found10?.points == 52)
    try writer.close()
    let found11 = try sum()
    let whole11 = try read()
    #expect(agree(found11, whole11))
  }
}

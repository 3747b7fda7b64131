import Foundation
import Geodesy
import LinuxIO
import LocationDatabase
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// Notes of a log on the disk.
@Suite struct NoteFileTests {
  private func note(_ text: String = "coffee ☕", _ number: Int = 0) throws -> TrackNote {
    try #require(TrackNote(text, at: LoggedDrive.fix(number), time: LoggedDrive.fix(number).time))
  }

  @Test(arguments: TrackKind.allCases)
  func notesAreReadAsTheyWereWritten(kind: TrackKind) throws {
    let folder = try TemporaryFolder()
    let file = NoteFile(TrackFolder(folder.path))
    #expect(try file.records().isEmpty)
    let notes = try (0..<5).map { try note("note \($0)", $0) }
    for note in notes { #expect(try file.append(try #require(NoteRecord(note, publicKey: kind.key?.publicKey)))) }
    let records = try NoteFile(TrackFolder(folder.path)).records()
    #expect(records.map { $0.note(key: kind.key) } == notes)
    if kind == .sealed {
      #expect(records.allSatisfy { $0.note() == nil && $0.note(key: OwnerKey()) == nil })
      let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: folder.path + "/notes")), as: UTF8.self)
      #expect(!text.contains("note 1"))
    }
  }

  /// Every single flipped bit of the record is detected.
  @Test(arguments: TrackKind.allCases)
  func aDamagedNoteIsLeftOut(kind: TrackKind) throws {
    let record = try #require(NoteRecord(try note(), publicKey: kind.key?.publicKey))
    for index in stride(from: 0, to: NoteRecord.size, by: kind.step) {
      var bytes = record.bytes
      bytes[index] ^= 1 << UInt8(index % 8)
      #expect(NoteRecord(bytes).note(key: kind.key) == nil)
    }
    #expect(NoteRecord(Array(record.bytes.dropLast())).note(key: kind.key) == nil)
  }

  @Test func theNumberOfNotesIsBounded() throws {
    let folder = try TemporaryFolder()
    let file = NoteFile(TrackFolder(folder.path))
    let record = try #require(NoteRecord(try note(), publicKey: nil))
    let full = [[UInt8]](repeating: record.bytes, count: NoteFile.mostNotes).flatMap { $0 }
    try Data(full).write(to: URL(fileURLWithPath: folder.path + "/notes"))
    #expect(try !file.append(record))
    #expect(try file.records().count == NoteFile.mostNotes)
  }

  @Test(arguments: ["", "two\nlines", "\u{1B}[2J", "\u{7F}", "\u{9B}2J", String(repeating: "x", count: 201)])
  func anInvalidTextIsNoNote(text: String) {
    #expect(TrackNote(text, at: LoggedDrive.fix(0), time: LoggedDrive.fix(0).time) == nil)
  }

  @Test func theLongestTextFits() throws {
    let text = String(repeating: "é", count: 100)
    for key in [nil, OwnerKey()] {
      #expect(try #require(NoteRecord(try note(text), publicKey: key?.publicKey)).note(key: key)?.text == text)
    }
  }

  // MARK: - Figures

  /// The sum over the segments of a log is the same as over the whole track, and the writer's own count is that of the files.
  @Test func figuresOfSegmentsAddUp() throws {
    let temporary = try TemporaryFolder()
    let folder = TrackFolder(temporary.path)
    var (entries, whole): ([TrackEntry], TrackFigures) = ([.interruption(.started)], TrackFigures())
    for number in 0..<400 {
      if number == 150 { entries.append(.interruption(.gap)) }
      var fix = LoggedDrive.fix(number)
      // Another day begins another segment.
      if number >= 250 { fix.time = fix.time + .seconds(86_400) }
      entries.append(.fix(fix))
    }
    var writer = try TrackWriter(folder: folder, .test())
    for entry in entries {
      try writer.append(entry)
      whole.add(entry)
    }
    let counted = writer.figures
    try writer.close()
    let segments = try folder.segments()
    #expect(segments.count == 2 && counted.keys.sorted() == segments.map(\.sequence))
    var sum = TrackFigures()
    for segment in segments { sum.join(folder.figures(of: segment.sequence)) }
    #expect(sum.points == 400 && whole.points == 400)
    #expect((sum.distance.value - whole.distance.value).magnitude < 0.01)
    var joined = TrackFigures()
    for sequence in counted.keys.sorted() { joined.join(try #require(counted[sequence])) }
    #expect(joined.points == 400 && (joined.distance.value - whole.distance.value).magnitude < 0.01)
    #expect(folder.lastFix?.time == { if case .fix(let fix)? = entries.last { fix.time } else { nil } }())
  }

  // MARK: - Names

  @Test func aRenamedLogKeepsItsNameWithoutTheIndex() throws {
    let temporary = try TemporaryFolder()
    do {
      let index = try LogIndex(stateFolder: temporary.path)
      let now = GNSSTime(nanosecondsSince1970: 0)
      let log = try index.start("old", LogConfiguration(), at: now)
      _ = try index.start("other", LogConfiguration(), at: now)
      var writer = try TrackWriter(folder: index.folder(of: log), .test())
      try writer.append(.fix(LoggedDrive.fix(0)))
      try writer.close()
      #expect(try !index.rename(log, to: "other"))
      #expect(try index.rename(log, to: "new"))
      #expect(try index.log(named: "old") == nil && index.log(named: "new")?.id == log.id)
      #expect(throws: DatabaseError.self) { try index.rename(log, to: "") }
      _ = try index.stop("new", at: now)
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: temporary.path) where file.hasPrefix("index") {
      try FileManager.default.removeItem(atPath: "\(temporary.path)/\(file)")
    }
    let again = try LogIndex(stateFolder: temporary.path)
    #expect(again.adopted.map(\.name).sorted() == ["new", "other"])
  }
}

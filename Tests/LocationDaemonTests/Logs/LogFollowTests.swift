import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// Following, renaming and annotating logs.
@Suite struct LogFollowTests {
  private let done = ServiceEvent.done(RequestID(1))

  private func start(_ bed: LogServiceBed, _ name: String = "a", publicKey: String? = nil) {
    var options = LogOptions()
    options.keepsStandstill = true
    #expect(bed.ask(.start(name: name, options, publicKey: publicKey)) == done)
  }

  private func failed(_ failure: LogFailure) -> ServiceEvent { .failed(RequestID(1), .log(failure)) }

  /// The fixes of a page, and its bookmark.
  private func page(_ event: ServiceEvent?) throws -> (times: [GNSSTime], next: LogRequest.Bookmark) {
    guard case .log(_, .page(let page))? = event, let next = page.next else { throw NoPage(event: event) }
    return (page.entries.compactMap { if case .fix(let fix) = $0 { fix.time } else { nil } }, next)
  }

  private struct NoPage: Error { var event: ServiceEvent? }

  private func times(_ fixes: Range<Int>) -> [GNSSTime] { fixes.map { LoggedDrive.fix($0).time } }

  // MARK: - Following

  @Test func eachFixIsSentWhenItIsRecorded() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    let first = try page(bed.ask(.follow(name: "a", from: nil)))
    #expect(first.times.isEmpty)
    #expect(bed.ask(.followOn(first.next)) == nil, "nothing was recorded since")
    bed.drive(20..<21)
    let second = try page(bed.takeAnswer())
    #expect(second.times == times(20..<21))
    // What comes before the next request waits for it.
    bed.drive(21..<25)
    #expect(bed.takeAnswer() == nil)
    #expect(try page(bed.ask(.followOn(second.next))).times == times(21..<25))
  }

  /// Pages of the past, then what is recorded meanwhile: every fix once.
  @Test func thePastComesFirstAndNothingTwice() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<2000)
    var (found, next) = try page(bed.ask(.follow(name: "a", from: LoggedDrive.fix(500).time)))
    bed.drive(2000..<2010)
    while found.count < 1510 {
      let more = try page(bed.ask(.followOn(next)))
      found += more.times
      next = more.next
    }
    #expect(found == times(500..<2010))
    #expect(bed.ask(.followOn(next)) == nil)
  }

  /// A clock that was set back, so that the last fix from before is not in the requested period; and a stop and a start. The past is
  /// longer than what is read from the disk at once.
  @Test func nothingIsSentTwiceWhateverTheClock() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<8000)
    bed.drive(8000..<8001) { $0.time = $0.time + .seconds(-3000) }
    var (found, next) = try page(bed.ask(.follow(name: "a", from: LoggedDrive.fix(500).time)))
    #expect(found.count < 1500)
    bed.drive(8001..<8101)
    bed.wait()
    #expect(bed.ask(.stop(name: "a")) == done)
    start(bed)
    bed.drive(9000..<9050)
    bed.wait()
    while case .log(_, .page(let page))? = bed.ask(.followOn(next)) {
      found += page.entries.compactMap { if case .fix(let fix) = $0 { fix.time } else { nil } }
      next = try #require(page.next)
    }
    #expect(found == times(500..<8000) + times(8001..<8101) + times(9000..<9050))
  }

  /// Pages of the past and of the queue fit in a message, also with the longest texts.
  @Test(arguments: [true, false]) func aPageFitsInAMessage(isPast: Bool) throws {
    let bed = LogServiceBed()
    start(bed)
    func drive(_ fixes: Range<Int>) {
      bed.drive(fixes) {
        $0.device = String(repeating: "d", count: MessageLimits.text)
        $0.receiver = String(repeating: "r", count: MessageLimits.text)
      }
    }
    if isPast { drive(0..<3000) }
    var answer = bed.ask(.follow(name: "a", from: isPast ? LoggedDrive.fix(0).time : nil))
    if !isPast { drive(0..<3000) }
    var found: [GNSSTime] = []
    while let event = answer {
      #expect(ServerMessage.event(event).frame.count < MessageLimits.event)
      let (times, next) = try page(event)
      found += times
      answer = bed.ask(.followOn(next))
    }
    #expect(found == times(0..<3000))
  }

  @Test func aFollowerOutlastsAStopAndANewName() throws {
    let bed = LogServiceBed()
    start(bed)
    let next = try page(bed.ask(.follow(name: "a", from: nil))).next
    #expect(bed.ask(.stop(name: "a")) == done)
    #expect(bed.ask(.rename(name: "a", to: "b")) == done)
    #expect(bed.ask(.followOn(next)) == nil)
    start(bed, "b")
    bed.drive(0..<1)
    #expect(try page(bed.takeAnswer()).times == times(0..<1))
  }

  /// A client that does not request more than a bound gets the newest, after a gap.
  @Test func aSlowClientGetsAGap() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<1)
    var next = try page(bed.ask(.follow(name: "a", from: nil))).next
    bed.drive(1..<10_000)
    var found: [GNSSTime] = []
    while true {
      guard case .log(_, .page(let page))? = bed.ask(.followOn(next)) else { break }
      if found.isEmpty { #expect(page.entries.first == .interruption(.gap)) }
      found += page.entries.compactMap { if case .fix(let fix) = $0 { fix.time } else { nil } }
      next = try #require(page.next)
    }
    #expect(found == times((10_000 - found.count)..<10_000) && found.count > 2000)
  }

  @Test func anEncryptedLogIsFollowedByItsBlocks() throws {
    let owner = OwnerKey()
    let bed = LogServiceBed()
    start(bed, publicKey: owner.publicKey.text)
    bed.drive(0..<20)
    #expect(bed.ask(.follow(name: "a", from: nil)) == failed(.sealed(name: "a", key: owner.publicKey.text)))
    var opener = EncryptedTrackDecryptor(key: owner)
    func fixes(_ event: ServiceEvent?) throws -> Int {
      guard case .log(_, .sealed(let page))? = event else { throw NoPage(event: event) }
      return try page.pieces.reduce(0) { sum, piece in
        sum + (try opener.decrypt(piece)).count { if case .fix = $0 { true } else { false } }
      }
    }
    let first = bed.ask(.followSealed(name: "a", from: nil))
    #expect(try fixes(first) == 20)
    guard case .log(_, .sealed(let page))? = first, let next = page.next else { throw NoPage(event: first) }
    #expect(bed.ask(.followOn(next)) == nil)
    bed.drive(20..<40)
    #expect(bed.takeAnswer() == nil, "the blocks are not written yet")
    bed.wait()
    #expect(try fixes(bed.takeAnswer()) == 20)
    #expect(opener.damage == TrackDamage())
    // Another segment.
    #expect(bed.ask(.followOn(next)) == nil)
    start(bed)
    // Fixes from before the start do not belong to it.
    bed.drive(400..<410)
    bed.wait()
    #expect(try fixes(bed.takeAnswer()) == 10)
    start(bed, "open")
    #expect(bed.ask(.followSealed(name: "open", from: nil)) == failed(.notSealed(name: "open")))
  }

  @Test func onlyTheServiceThatRecordsIsFollowed() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<5)
    bed.end()
    #expect(LogServiceBed(bed.folder, records: false).ask(.follow(name: "a", from: nil)) == failed(.needsDaemon))
    #expect(bed.ask(.followOn(LogRequest.Bookmark(7))) == failed(.unknownBookmark))
    #expect(bed.ask(.follow(name: "none", from: nil)) == failed(.unknown(name: "none", known: ["a"])))
    for _ in 0..<4 { _ = try page(bed.ask(.follow(name: "a", from: nil))) }
    #expect(bed.ask(.follow(name: "a", from: nil)) == failed(.tooManyReadings(limit: 4)))
  }

  /// One failure, whether the client waits for the next page at that time or requests it later.
  @Test(arguments: [true, false]) func aFollowerOfALogThatIsRemovedEnds(isWaiting: Bool) throws {
    let bed = LogServiceBed()
    start(bed)
    start(bed, "b")
    bed.drive(0..<20)
    let next = try page(bed.ask(.follow(name: "a", from: nil))).next
    let other = try page(bed.ask(.follow(name: "b", from: nil))).next
    if isWaiting {
      #expect(bed.ask(.followOn(next)) == nil)
    } else {
      bed.drive(20..<30)
    }
    #expect(bed.ask(.remove(name: "a")) == done)
    let unknown = failed(.unknown(name: "a", known: ["b"]))
    #expect((isWaiting ? bed.takeAnswer() : bed.ask(.followOn(next))) == unknown)
    #expect(bed.ask(.followOn(next)) == failed(.unknownBookmark))
    // A new log of that name is another log, and followers of other logs continue.
    start(bed)
    bed.drive(400..<410)
    #expect(bed.ask(.followOn(next)) == failed(.unknownBookmark))
    #expect(try page(bed.ask(.followOn(other))).times.suffix(10) == times(400..<410)[...])
  }

  @Test func aFollowerEndsWithALogWhoseIndexIsGone() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    let next = try page(bed.ask(.follow(name: "a", from: nil))).next
    #expect(bed.ask(.followOn(next)) == nil)
    for file in try bed.files { try bed.remove(file) }
    bed.wait()
    #expect(bed.takeAnswer() == failed(.unknownBookmark))
    #expect(bed.ask(.follow(name: "a", from: nil)) == failed(.unknown(name: "a", known: [])))
  }

  // MARK: - Names

  @Test func aRunningLogIsRenamedWithoutAGap() throws {
    let bed = LogServiceBed()
    start(bed)
    start(bed, "taken")
    bed.drive(0..<20)
    #expect(bed.ask(.rename(name: "a", to: "taken")) == failed(.nameTaken("taken")))
    #expect(bed.ask(.rename(name: "none", to: "b")) == failed(.unknown(name: "none", known: ["a", "taken"])))
    #expect(bed.ask(.rename(name: "a", to: "two\nlines")) == failed(.badName("two\nlines")))
    #expect(bed.ask(.rename(name: "a", to: "b")) == done)
    bed.drive(20..<40)
    guard case .log(_, .page(let page))? = bed.ask(.read(name: "b", from: nil, to: nil)) else {
      Issue.record("no page")
      return
    }
    #expect(page.entries.count == 41 && page.entries.first == .interruption(.started))
    #expect(bed.logs.map(\.name) == ["b", "taken"] && bed.logs[0].isRunning)
    bed.end()
    // It goes on under its new name, also if the index is lost.
    for file in try bed.files where file.hasPrefix("index") { try bed.remove(file) }
    let next = LogServiceBed(bed.folder)
    next.begin()
    #expect(next.logs.map(\.name) == ["b", "taken"] && next.logs[0].isRunning)
  }

  /// A new name is plain; the name of a log from before that rule is used like any other.
  @Test func onlyNewNamesMustBePlain() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    bed.end()
    let other = LogServiceBed(bed.folder)
    other.begin()
    for name in ["../x", ".x", "-x", "a b", "a/b", "€"] {
      #expect(other.ask(.start(name: name, LogOptions())) == failed(.badName(name)))
      #expect(other.ask(.rename(name: "a", to: name)) == failed(.badName(name)))
      #expect(other.ask(.addImported(name: name, [])) == failed(.badName(name)))
    }
    #expect(other.logs.map(\.name) == ["a"])
    other.end()
    try renameInIndex(of: bed.folder.path, "a", to: "my walk")
    let later = LogServiceBed(bed.folder)
    later.begin()
    #expect(later.logs.map(\.name) == ["my walk"] && later.logs[0].isRunning)
    #expect(later.ask(.start(name: "my walk", LogOptions())) == done)
    #expect(later.ask(.stop(name: "my walk")) == done)
    #expect(later.ask(.rename(name: "my walk", to: "walk")) == done)
  }

  /// As version 0.1.0 has stored it.
  private func renameInIndex(of folder: String, _ name: String, to other: String) throws {
    let sqlite = Process()
    sqlite.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    sqlite.arguments = [
      "python3", "-c",
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); "
        + "d.execute('UPDATE logs SET name = ? WHERE name = ?', (sys.argv[3], sys.argv[2])); d.commit()",
      folder + "/" + LogIndex.fileName, name, other,
    ]
    try sqlite.run()
    sqlite.waitUntilExit()
    #expect(sqlite.terminationStatus == 0)
  }

  /// The size of a log that begins is that of its fixes, without the space that is allocated in advance.
  @Test func theSizeIsThatOfWhatWasRecorded() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    bed.wait()
    let size = try #require(bed.logs.first).bytes
    #expect((1...20_000).contains(size), "\(size)")
    #expect(bed.ask(.stop(name: "a")) == done)
    #expect(try #require(bed.logs.first).bytes <= size + 8192)
  }

  // MARK: - Notes

  private func notes(_ bed: LogServiceBed, _ name: String, from: Int = 0) -> [StoredNote] {
    guard case .log(_, .notes(let notes, _, _))? = bed.ask(.notes(name: name, from: from)) else { return [] }
    return notes
  }

  @Test func aNoteIsAtTheCurrentFixOrTheLastRecordedOne() throws {
    let clock = LoggedDrive.fix(0).time + .seconds(90_000)
    let bed = LogServiceBed(clock: clock)
    start(bed)
    #expect(bed.ask(.note(name: "a", text: "early")) == failed(.noPosition(name: "a")))
    bed.drive(0..<20)
    #expect(bed.ask(.note(name: "a", text: "now")) == done)
    bed.wait()
    #expect(bed.ask(.note(name: "a", text: "later")) == done)
    #expect(bed.ask(.stop(name: "a")) == done)
    #expect(bed.ask(.note(name: "a", text: "stopped")) == done)
    let expected = [("now", LoggedDrive.fix(19).time), ("later", clock), ("stopped", clock)]
    let found = notes(bed, "a").compactMap { if case .open(let note) = $0 { note } else { nil } }
    #expect(found.map(\.text) == expected.map(\.0) && found.map(\.time) == expected.map(\.1))
    for note in found {
      #expect((note.coordinate.latitude.degrees - LoggedDrive.fix(19).coordinate.latitude.degrees).magnitude < 1e-8)
    }
    #expect(notes(bed, "a", from: 2).count == 1)
    for text in ["", "two\nlines"] {
      #expect(bed.ask(.note(name: "a", text: text)) == failed(.badNote(limit: 200)))
    }
    // Notes follow a new name, and are deleted with the log.
    #expect(bed.ask(.rename(name: "a", to: "b")) == done)
    #expect(notes(bed, "b").count == 3)
    #expect(bed.ask(.remove(name: "b")) == done)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bed.folder.path + "/tracks/1").contains("notes") == false)
  }

  @Test func notesOfAnEncryptedLogAreEncrypted() throws {
    let owner = OwnerKey()
    let bed = LogServiceBed()
    start(bed, publicKey: owner.publicKey.text)
    bed.drive(0..<20)
    #expect(bed.ask(.note(name: "a", text: "secret")) == done)
    guard case .sealed(let record)? = notes(bed, "a").first else {
      Issue.record("no encrypted note")
      return
    }
    #expect(NoteRecord(record).note(key: owner)?.text == "secret" && NoteRecord(record).note() == nil)
  }

  @Test func anotherUserChangesNothing() throws {
    let bed = LogServiceBed()
    let (alice, bob) = (ClientIdentity(userID: 1001), ClientIdentity(userID: 1002))
    #expect(bed.ask(.start(name: "a", LogOptions()), as: alice) == done)
    let unknown = failed(.unknown(name: "a", known: []))
    for request in [
      LogRequest.rename(name: "a", to: "b"), .note(name: "a", text: "x"), .notes(name: "a", from: 0),
      .follow(name: "a", from: nil), .followSealed(name: "a", from: nil),
    ] {
      #expect(bed.ask(request, as: bob) == unknown)
    }
    #expect(bed.ask(.start(name: "b", LogOptions()), as: bob) == done)
    #expect(bed.ask(.rename(name: "b", to: "a"), as: bob) == failed(.nameTaken("a")))
  }

  // MARK: - The list

  @Test func pointsAreListedFromTheFirstFixOn() throws {
    let bed = LogServiceBed()
    start(bed)
    #expect(bed.logs.map(\.points) == [0])
    bed.drive(0..<20)
    let first = try #require(bed.logs.first)
    #expect(first.points == 20 && first.begin == LoggedDrive.fix(0).time && (first.distance ?? Meters(0)) > Meters(20))
    bed.end()
    let again = LogServiceBed(bed.folder)
    again.begin()
    #expect(again.logs.map(\.points) == [20])
    again.drive(20..<40)
    #expect(again.logs.map(\.points) == [40])
    #expect(again.ask(.stop(name: "a")) == done)
    #expect(LogServiceBed(bed.folder, records: false).logs.map(\.points) == [40])
  }
}

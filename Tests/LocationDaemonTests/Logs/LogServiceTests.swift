import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdRecords
import TestSupport
import Testing

/// Why a log ends, and what is reported about it.
@Suite struct LogServiceTests {
  private let done = ServiceEvent.done(RequestID(1))

  private func start(_ bed: LogServiceBed, _ name: String = "a") {
    var options = LogOptions()
    options.keepsStandstill = true
    #expect(bed.ask(.start(name: name, options)) == done)
  }

  // MARK: Lost data

  @Test func stopSaysThatTheEndIsLost() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    try bed.removeTracks(1)
    let problem = LogProblem.cannotWrite(errno: ENOENT)
    #expect(bed.ask(.stop(name: "a")) == .failed(RequestID(1), .log(.endLost(name: "a", problem))))
    #expect(bed.logs.map(\.isRunning) == [false])
    #expect(bed.events == [.recording("a", nil), .endLost("a", problem), .stopped("a")])
    #expect(bed.ask(.stop(name: "a")) == done)
  }

  @Test func theEndOfTheServiceSaysThatTheEndIsLost() throws {
    let bed = LogServiceBed()
    start(bed)
    start(bed, "b")
    bed.drive(0..<20)
    try bed.removeTracks(1)
    bed.end()
    #expect(bed.events.suffix(1) == [.endLost("a", .cannotWrite(errno: ENOENT))])
    #expect(LogServiceBed(bed.folder).read("b").fixes == 20)
  }

  @Test func readersLearnOfMissingEntries() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    let whole = bed.read("a")
    #expect(whole.fixes == 20 && whole.problem == nil)
    // A new start begins another segment, which is created with its first block.
    start(bed)
    bed.drive(20..<40)
    try bed.removeTracks(1)
    let rest = bed.read("a")
    #expect(rest.fixes == 0 && rest.problem == .cannotWrite(errno: ENOENT))
  }

  @Test func theEndIsKnownOfEveryLog() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    let end = LoggedDrive.fix(19).time
    #expect(bed.logs.map(\.end) == [end])
    #expect(bed.ask(.stop(name: "a")) == done)
    #expect(bed.logs.map(\.end) == [end])
    start(bed)
    #expect(bed.logs.map(\.end) == [end], "nothing has come yet")
    bed.end()
    let next = LogServiceBed(bed.folder, records: false)
    #expect(next.logs.map(\.end) == [end] && next.logs.map(\.begin) == [LoggedDrive.fix(0).time])
  }

  // MARK: A lost index

  @Test func theEndLeavesAllInOneFile() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    bed.end()
    #expect(try bed.files == ["index.sqlite", "tracks"])
    // Without SQLite's write-ahead log, there is nothing to lose.
    #expect(LogServiceBed(bed.folder).logs.map(\.name) == ["a"])
  }

  @Test func whatWasRecordedGoesOnWithoutItsIndex() throws {
    let bed = LogServiceBed()
    start(bed)
    start(bed, "b")
    bed.drive(0..<20)
    #expect(bed.ask(.stop(name: "b")) == done)
    let before = bed.logs
    bed.end()
    for file in try bed.files where file.hasPrefix("index") { try bed.remove(file) }
    let next = LogServiceBed(bed.folder)
    next.begin()
    #expect(next.events == [.adopted("a", isRecorded: true), .adopted("b", isRecorded: false), .recording("a", nil)])
    #expect(next.logs.map(\.isRunning) == [true, false])
    #expect(next.logs.first?.options == before.first?.options)
    next.drive(20..<40)
    #expect(next.read("a").fixes == 40 && next.read("b").fixes == 20)
  }

  @Test func aStateThatWasRemovedIsRestarted() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.drive(0..<20)
    #expect(bed.read("a").fixes == 20)
    bed.drive(20..<30)
    for file in try bed.files { try bed.remove(file) }
    start(bed, "b")
    #expect(
      bed.events.dropFirst() == [.endLost("a", .cannotWrite(errno: ENOENT)), .stopped("a"), .recording("b", nil)])
    bed.drive(30..<50)
    bed.end()
    let next = LogServiceBed(bed.folder)
    #expect(next.logs.map(\.name) == ["b"])
    #expect(next.read("b").fixes == 20)
  }

  @Test func aLogThatRestsSaysSo() throws {
    let bed = LogServiceBed()
    start(bed)
    bed.change(.suspended)
    #expect(bed.logs.first?.problem == .notAllowed)
    bed.change(.resumed)
    #expect(bed.logs.first.map { $0.problem == nil } == true)
    #expect(bed.events == [.recording("a", nil), .recording("a", .notAllowed), .recording("a", nil)])
    bed.drive(0..<20)
    #expect(bed.read("a").fixes == 20)
  }

  // MARK: Several processes

  @Test(arguments: [true, false]) func whatAnotherProcessRecordsIsNotStopped(records: Bool) {
    let daemon = LogServiceBed()
    start(daemon)
    daemon.drive(0..<5)
    let other = LogServiceBed(daemon.folder, records: records)
    other.begin()
    let refusal = ServiceEvent.failed(RequestID(1), .log(.recordedElsewhere(name: "a", processID: getpid())))
    #expect(other.ask(.stop(name: "a")) == refusal)
    #expect(other.ask(.remove(name: "a")) == refusal)
    #expect(other.logs.map(\.isRunning) == [true])
    daemon.drive(5..<10)
    #expect(daemon.read("a").fixes == 10)
    // No process records it now.
    daemon.end()
    #expect(other.ask(.stop(name: "a")) == done)
    #expect(other.ask(.remove(name: "a")) == done)
    #expect(other.logs.isEmpty)
  }
}

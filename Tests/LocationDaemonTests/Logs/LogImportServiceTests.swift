import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// Imports into logs by several clients.
@Suite struct LogImportServiceTests {
  private let done = ServiceEvent.done(RequestID(1))
  private let alice = ClientIdentity(userID: 1001)
  private let bob = ClientIdentity(userID: 1002)
  private let carol = ClientIdentity(userID: 1003)

  private func failed(_ failure: LogFailure) -> ServiceEvent { .failed(RequestID(1), .log(failure)) }

  private func fixes(_ numbers: Range<Int>) -> [TrackEntry] { numbers.map { .fix(LoggedDrive.fix($0)) } }

  /// The report on an import; `nil`: it has failed.
  private func report(_ event: ServiceEvent?) -> LogImportReport? {
    if case .log(_, .imported(let report))? = event { report } else { nil }
  }

  private func add(
    _ bed: LogServiceBed, to name: String, as user: ClientIdentity, from client: Int
  ) -> ServiceEvent? {
    bed.ask(.addImported(name: name, fixes(0..<10)), as: user, from: .process(client))
  }

  // MARK: - Limits

  @Test func noClientAndNoUserTakesAllImports() {
    let bed = LogServiceBed()
    for (client, name) in [(1, "a"), (1, "b"), (2, "a"), (2, "c")] {
      #expect(report(add(bed, to: name, as: alice, from: client))?.waiting == 10)
    }
    #expect(add(bed, to: "d", as: alice, from: 1) == failed(.tooManyImports(limit: 2)))
    #expect(add(bed, to: "d", as: alice, from: 3) == failed(.tooManyImports(limit: 4)))
    // A refused import creates no log, and those that have begun continue.
    #expect(bed.logs.map(\.name) == ["a", "b", "c"])
    #expect(report(add(bed, to: "b", as: alice, from: 1))?.waiting == 20)
    for (client, name) in [(11, "e"), (11, "f"), (12, "e"), (12, "f")] {
      #expect(report(add(bed, to: name, as: bob, from: client))?.waiting == 10)
    }
    #expect(add(bed, to: "g", as: carol, from: 21) == failed(.tooManyImports(limit: 8)))
    // Imports end with their client, and when they are finished.
    bed.leave(.process(1))
    #expect(report(add(bed, to: "g", as: carol, from: 21))?.waiting == 10)
    #expect(report(add(bed, to: "d", as: alice, from: 3))?.waiting == 10)
    #expect(add(bed, to: "h", as: carol, from: 21) == failed(.tooManyImports(limit: 8)))
    #expect(report(bed.ask(.finishImport(name: "e"), as: bob, from: .process(11)))?.waiting == 0)
    #expect(report(add(bed, to: "h", as: carol, from: 21))?.waiting == 10)
  }

  // MARK: - Removed logs

  @Test func removingALogDropsItsImports() throws {
    let bed = LogServiceBed()
    #expect(report(add(bed, to: "a", as: alice, from: 1))?.waiting == 10)
    #expect(report(add(bed, to: "b", as: alice, from: 1))?.waiting == 10)
    #expect(report(add(bed, to: "a", as: alice, from: 2))?.waiting == 10)
    #expect(bed.ask(.remove(name: "a"), as: alice) == done)
    let unknown = failed(.unknown(name: "a", known: ["b"]))
    #expect(bed.ask(.finishImport(name: "a"), as: alice, from: .process(1)) == unknown)
    #expect(add(bed, to: "a", as: alice, from: 2) == unknown)
    #expect(bed.logs.map(\.name) == ["b"])
    // Nothing was written to the folder of the removed log, which would otherwise become a log again.
    #expect(!FileManager.default.fileExists(atPath: bed.folder.path + "/tracks/1/imported"))
    #expect(report(bed.ask(.finishImport(name: "b"), as: alice, from: .process(1)))?.added == 10)
    // The name can be used again.
    #expect(report(add(bed, to: "a", as: alice, from: 2))?.waiting == 10)
    #expect(report(bed.ask(.finishImport(name: "a"), as: alice, from: .process(2)))?.added == 10)
    #expect(bed.logs.map(\.points) == [10, 10])
  }

  // MARK: - The list

  /// The status report reads no tracks, and has the figures of what this service has imported.
  @Test func theListHasTheFiguresOfImports() throws {
    let bed = LogServiceBed()
    var far = LoggedDrive.fix(500)
    far.time = far.time + .seconds(86_400)
    #expect(report(bed.ask(.addImported(name: "a", fixes(0..<100) + [.fix(far)])))?.waiting == 101)
    #expect(bed.account?.map(\.points) == [0])
    #expect(report(bed.ask(.finishImport(name: "a")))?.added == 101)
    let log = try #require(bed.account?.first)
    #expect(log.points == 101 && (log.distance ?? Meters(0)) > Meters(100))
    #expect(log.begin == LoggedDrive.fix(0).time && log.end == far.time)
    #expect(bed.logs.first == log)
    // A state folder of before.
    bed.end()
    let next = LogServiceBed(bed.folder)
    next.begin()
    #expect(next.account?.map(\.points) == [nil])
    let again = try #require(next.logs.first)
    #expect(again.points == 101 && again.begin == log.begin && again.end == log.end)
    #expect(((again.distance ?? Meters(0)).value - (log.distance ?? Meters(0)).value).magnitude < 0.01)
    #expect(next.account?.map(\.points) == [101])
  }
}

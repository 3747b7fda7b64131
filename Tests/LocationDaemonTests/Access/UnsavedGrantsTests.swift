import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdServer
import LocationdService
import Testing

/// When a decision is written, and what is reported about it.
@Suite struct UnsavedGrantsTests {
  private typealias Ticket = UnsavedGrants.Ticket

  private var unkept = UnsavedGrants()
  private var now = Instant(nanoseconds: 1_000_000_000_000)
  private let full = GrantStorageProblem.failed(reason: "the disk is full", .noRoom)

  private func client(_ number: Int) -> ClientIdentity {
    ClientIdentity(userID: 1000, realm: .flatpak("org.example.App\(number)"))
  }
  private func granted(_ number: Int, _ level: AuthorizationLevel = .denied) -> GrantChange {
    .grant(client(number), GrantRecord(level))
  }

  private mutating func wake(after time: Duration) -> [UnsavedGrants.Action] {
    now = now + time
    return unkept.handle(.wake, at: now)
  }

  @Test mutating func theFirstIsWrittenImmediatelyAndTheNextTogether() {
    #expect(unkept.handle(.changed(granted(1)), at: now) == [.write([granted(1)])])
    #expect(unkept.handle(.awaited(Ticket(1)), at: now) == [])
    #expect(unkept.handle(.changed(granted(2)), at: now) == [])
    #expect(unkept.handle(.awaited(Ticket(2)), at: now) == [])
    #expect(unkept.handle(.written, at: now) == [.kept(Ticket(1))])
    #expect(unkept.nextDeadline == now + UnsavedGrants.rest)
    #expect(unkept.handle(.changed(.switched(isOn: false)), at: now) == [])
    #expect(wake(after: UnsavedGrants.rest) == [.write([granted(2), .switched(isOn: false)])])
    #expect(unkept.handle(.written, at: now) == [.kept(Ticket(2))])
    #expect(unkept.nextDeadline == nil)
    #expect(unkept.handle(.awaited(Ticket(3)), at: now) == [.kept(Ticket(3))])
  }

  @Test mutating func theNewestOfEachAloneIsWritten() {
    _ = unkept.handle(.changed(granted(0)), at: now)
    for level in [AuthorizationLevel.always, .denied, .whenInUse] {
      #expect(unkept.handle(.changed(granted(1, level)), at: now) == [])
      #expect(unkept.handle(.changed(.switched(isOn: level == .denied)), at: now) == [])
    }
    _ = unkept.handle(.written, at: now)
    #expect(wake(after: UnsavedGrants.rest) == [.write([granted(1, .whenInUse), .switched(isOn: false)])])
  }

  /// Made-up programs that are refused and forgotten again, as fast as possible.
  @Test(arguments: [true, false]) mutating func clientsCannotGrowItOrKeepTheDiskBusy(isWritable: Bool) {
    var (writes, most) = (0, 0)
    func receive(_ actions: [UnsavedGrants.Action]) -> Bool {
      let isWrite = actions.contains { if case .write = $0 { true } else { false } }
      writes += isWrite ? 1 : 0
      return isWrite
    }
    for number in 0..<50_000 {
      for change in [granted(number), .grant(client(number), nil)] {
        now = now + .microseconds(50)
        if receive(unkept.handle(.changed(change), at: now)) {
          _ = unkept.handle(isWritable ? .written : .failed(full), at: now)
        }
      }
      most = max(most, unkept.count)
    }
    // Within five seconds.
    #expect(writes > 2 && writes <= 21)
    #expect(most <= 2)
  }

  @Test mutating func whatTheDiskHasIsStruckOutAndOthersAreNot() {
    _ = unkept.handle(.loaded([client(1)]), at: now)
    #expect(unkept.handle(.changed(.grant(client(2), nil)), at: now) == [])
    #expect(unkept.handle(.changed(.grant(client(1), nil)), at: now) == [.write([.grant(client(1), nil)])])
    // Until the disk has answered, it is unknown whether the decision is stored.
    _ = unkept.handle(.failed(full), at: now)
    #expect(wake(after: .seconds(1)) == [.write([.grant(client(1), nil)])])
    _ = unkept.handle(.changed(granted(3)), at: now)
    _ = unkept.handle(.written, at: now)
    #expect(wake(after: UnsavedGrants.rest) == [.write([granted(3)])])
    _ = unkept.handle(.changed(.grant(client(3), nil)), at: now)
    _ = unkept.handle(.written, at: now)
    #expect(wake(after: UnsavedGrants.rest) == [.write([.grant(client(3), nil)])])
  }

  @Test mutating func failedWritesAreReportedAndRetriedWithBackoff() {
    #expect(unkept.handle(.changed(granted(1)), at: now) == [.write([granted(1)])])
    _ = unkept.handle(.awaited(Ticket(1)), at: now)
    #expect(unkept.handle(.failed(full), at: now) == [.report(full), .notKept(Ticket(1), full)])
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(unkept.nextDeadline == now + .seconds(seconds))
      #expect(wake(after: .seconds(seconds) - .milliseconds(1)) == [])
      #expect(wake(after: .milliseconds(1)) == [.write([granted(1)])])
      // The failure is reported once.
      #expect(unkept.handle(.failed(full), at: now) == [])
    }
    // The administrator has made room on the disk, and repeats the decision.
    now = now + .seconds(1)
    #expect(unkept.handle(.awaited(Ticket(2)), at: now) == [.write([granted(1)])])
    #expect(unkept.handle(.written, at: now) == [.report(nil), .kept(Ticket(2))])
    #expect(unkept.nextDeadline == nil)
  }

  @Test mutating func decisionsDoNotWaitForAStalledDisk() {
    _ = unkept.handle(.changed(granted(1)), at: now)
    _ = unkept.handle(.awaited(Ticket(1)), at: now)
    #expect(unkept.nextDeadline == now + UnsavedGrants.patience)
    #expect(wake(after: UnsavedGrants.patience) == [.notKept(Ticket(1), .late(after: UnsavedGrants.patience))])
    #expect(unkept.handle(.written, at: now) == [])
  }
}

import Fleet
import FleetDestinations
import Geodesy
import Testing

/// How often the cursor is stored.
@Suite struct FleetCursorTests {
  /// A service that never lives for `cursorInterval` would send the same records again and again.
  @Test func aServiceThatIsKilledAgainAndAgainGetsOn() {
    let records = (1...200).map { FleetOutboxTests.record($0) }
    var limits = FleetOutbox.Limits()
    limits.rate = 1000
    var cursor = FleetPlace.start
    var (lives, now) = (0, Instant(nanoseconds: 0))
    // What is less than one cursor's records may be sent again.
    while let next = records.firstIndex(where: { $0.place > cursor }),
      records.count - next >= FleetOutbox.cursorRecords,
      lives < 50
    {
      lives += 1
      var outbox = FleetOutbox(limits, cursor: cursor, waiting: records.count - next, seed: 1, at: now)
      _ = outbox.handle(.wake, at: now)
      _ = outbox.handle(.loaded(Array(records[next...]), isEnd: true), at: now)
      var actions = outbox.handle(.connected(FleetSession(version: 5)), at: now)
      let end = now + .seconds(5)
      while now < end, !actions.isEmpty || outbox.nextDeadline != nil {
        now = now + .milliseconds(10)
        var following = outbox.handle(.wake, at: now)
        for action in actions {
          if case .saveCursor(let place) = action { cursor = place }
          guard case .send(let group) = action, let first = group.first else { continue }
          following += outbox.handle(.answered(first.place.rawValue, .mqtt(0)), at: now)
        }
        actions = following
      }
    }
    #expect(lives <= 8, "\(lives)")
  }

  /// The sector of a stored cursor has 512 bytes.
  @Test(arguments: [0.05, 0.1, 0.5, 1, 5, 15]) func theCursorCostsLessThan20BytesForEachRecord(rate: Double) {
    let count = 600
    let records = (1...count).map { FleetOutboxTests.record($0) }
    // A message without an answer for a minute would end the connection.
    var limits = FleetOutbox.Limits()
    limits.rate = 1000
    if rate < 1 { limits.window = 1 }
    var now = Instant(nanoseconds: 0)
    var outbox = FleetOutbox(limits, cursor: .start, waiting: count, seed: 1, at: now)
    _ = outbox.handle(.wake, at: now)
    _ = outbox.handle(.loaded(records, isEnd: true), at: now)
    var actions = outbox.handle(.connected(FleetSession(version: 5)), at: now)
    var open: [FleetRecord] = []
    var saves = 0
    func note(_ actions: [FleetOutbox.Action]) {
      for action in actions {
        if case .send(let group) = action { open += group }
        if case .saveCursor = action { saves += 1 }
      }
    }
    note(actions)
    for _ in 0..<count {
      // A server that answers so many a second.
      now = now + .seconds(1 / rate)
      if let deadline = outbox.nextDeadline, deadline <= now { note(outbox.handle(.wake, at: now)) }
      guard !open.isEmpty else { continue }
      let record = open.removeFirst()
      actions = outbox.handle(.answered(record.place.rawValue, .mqtt(0)), at: now)
      note(actions)
    }
    #expect(saves > 0 && Double(saves * 512) / Double(count) <= 20, "\(saves)")
  }
}

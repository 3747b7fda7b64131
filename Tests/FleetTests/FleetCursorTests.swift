import Fleet
import FleetDestinations
import Geodesy
import Testing

/// How often the cursor is stored.
@Suite struct FleetCursorTests {
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

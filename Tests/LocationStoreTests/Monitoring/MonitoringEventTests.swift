import LocationPolicy
import LocationStore
import Testing

@Suite struct MonitoringEventTests {
  private func event(
    _ list: MonitoringListID, _ number: Int = 0, _ pendingDeliveries: Set<MonitoringDelivery> = [.programs]
  ) -> NewEvent {
    NewEvent(
      list: list, subject: .region("\(number)"), body: Array("\(number)".utf8), pendingDeliveries: pendingDeliveries)
  }

  @Test func eventsStayUntilTheyAreReportedByAllTheirWays() throws {
    let place = try TemporaryFolder()
    var ids: [UInt64] = []
    let all = MonitoringDelivery.ofUser
    var events: [NewEvent] = []
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      let (one, two) = (try store.made(), try store.made(someLists[1]))
      events = [
        NewEvent(list: one, subject: .region("ä\0"), body: [0, 255], pendingDeliveries: all),
        NewEvent(list: two, subject: .visits, body: [], pendingDeliveries: [.command]),
        NewEvent(list: one, subject: .significantChanges, body: [1], pendingDeliveries: [.programs]),
      ]
      ids = try store.record(events, progress: [(two, "fix", [7])])
      #expect(try store.progress(two, "fix") == [7])
      #expect(try store.countAttempts(ids, .programs) == [1, nil, 1])
      #expect(try store.countAttempt(ids[0], .programs) == 2)
      #expect(try store.countAttempt(999, .programs) == nil && store.countAttempt(.max, .programs) == nil)
    }
    let store = try MonitoringStore(stateFolder: place.path)
    #expect(
      try store.pending(limit: 9) == [
        PendingEvent(id: ids[0], event: events[0], attempts: [.programs: 2]),
        PendingEvent(id: ids[1], event: events[1], attempts: [:]),
        PendingEvent(id: ids[2], event: events[2], attempts: [.programs: 1]),
      ])
    #expect(try store.pending(of: events[0].list, limit: 9).map(\.id) == [ids[0], ids[2]])
    #expect(try store.pending(of: events[0].list, after: ids[0], limit: 9).map(\.id) == [ids[2]])
    #expect(try store.pending(pendingDeliveries: .command, limit: 9).map(\.id) == [ids[0], ids[1]])
    #expect(try store.pending(limit: 2).map(\.id) == [ids[0], ids[1]])
    // Only the list to which an event belongs can acknowledge it.
    try store.done([ids[0]], .programs, of: events[1].list)
    #expect(try store.pending(pendingDeliveries: .programs, limit: 9).map(\.id) == [ids[0], ids[2]])
    try store.done([ids[0], ids[2], .max], .programs, of: events[0].list)
    #expect(try store.pending(limit: 9).map(\.id) == [ids[0], ids[1]])
    #expect(try store.pending(limit: 9)[0].event.pendingDeliveries == [.command, .notification])
    #expect(try store.countAttempt(ids[0], .programs) == nil)
    for delivery in [MonitoringDelivery.notification, .command] { try store.done(ids[0], delivery) }
    try store.done(ids[1], .command)
    #expect(try store.pending(limit: 9).isEmpty)
    // An ID is never used for another event, even after all events are removed.
    let next = try store.record([event(events[0].list)])
    #expect(next[0] > ids[2])
    // An event without a recipient is not stored as pending.
    let silent = try store.record([event(events[0].list, 1, [])])
    #expect(silent[0] > next[0])
    #expect(try store.pending(limit: 9).map(\.id) == next)
  }

  /// What waits for the destinations does not wait for the user.
  @Test func eventsForDestinationsStayUntilTheyAreInTheirOutboxes() throws {
    let place = try TemporaryFolder()
    var ids: [UInt64] = []
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      let list = try store.made()
      ids = try store.record([event(list, 1, [.destinations]), event(list, 2, [.programs, .destinations])])
      #expect(try store.countAttempt(ids[0], .destinations) == nil)
    }
    let store = try MonitoringStore(stateFolder: place.path)
    #expect(try store.pending(limit: 9).map(\.id) == [ids[1]])
    #expect(try store.pending(pendingDeliveries: .destinations, limit: 9).map(\.id) == ids)
    for id in ids { try store.done(id, .destinations) }
    #expect(try store.pending(pendingDeliveries: .destinations, limit: 9).isEmpty)
    #expect(try store.pending(limit: 9).map(\.event.pendingDeliveries) == [[.programs]])
  }

  @Test func theOldestGoWhereNoOneListens() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    let (one, two) = (try store.made(), try store.made(someLists[1]))
    let first = try store.record((0..<999).map { event(one, $0) } + [event(two)])
    #expect(try store.dropped(one) == 0)
    let second = try store.record((999..<1004).map { event(one, $0) })
    #expect(try store.dropped(one) == 4 && store.dropped(two) == 0)
    #expect(try store.pending(of: one, limit: 2000).map(\.id) == Array(first[4..<999]) + second)
    #expect(try store.pending(of: two, limit: 1).count == 1)
    // Also of events that come in one batch.
    let third = try store.record((0..<3000).map { event(one, $0) })
    #expect(try store.pending(of: one, limit: 2000).map(\.id) == Array(third.suffix(1000)))
    #expect(try store.dropped(one) == 3004)
    // And of events that could not even be buffered until there was room.
    var step = MonitoringStep()
    (step.events, step.dropped) = ([event(two)], [two: 7])
    _ = try store.record(step)
    #expect(try store.dropped(two) == 7)
  }
}

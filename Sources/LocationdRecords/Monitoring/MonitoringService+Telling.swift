import Geodesy
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// Delivers events at least once, and marks repeated deliveries.
extension MonitoringService {
  /// Number of events per read from the store.
  private static let portion = 64

  /// Delivers an event that has been stored.
  func deliver(_ new: NewEvent, _ id: UInt64) {
    guard let list = lists[new.list], var event = try? MonitoringEvent(kept: new.body) else { return }
    event.id = id
    if new.pendingDeliveries.contains(.destinations) {
      report(.happened(event, of: list.list, isRepeated: false))
      // Followers have received it already.
      if new.pendingDeliveries == [.destinations] { return }
    }
    let receivers = followers.filter { $0.list == list.id && $0.receives }
    if new.pendingDeliveries.contains(.programs), !receivers.isEmpty {
      let count = withStore { store throws(DatabaseError) in try store.countAttempt(id, .programs) }
      if let count, let attempt = count { deliver(event, id, attempt: attempt, of: list, to: receivers) }
    }
    for follower in followers where receives(follower, list) && !follower.receives {
      report(.answer(.monitoring(follower.request, .event(event, list: list.list.name)), to: follower.client))
    }
    for delivery in [MonitoringDelivery.command, .notification] where new.pendingDeliveries.contains(delivery) {
      launch(event, of: list, delivery, attempts: 0)
    }
  }

  /// Sends an event that is not stored to the followers that are currently connected.
  func notifyListeners(of list: MonitoredList, _ event: MonitoringEvent, isWanted: Bool) {
    var event = event
    if !isWanted, case .crossed(let state) = event.kind { event.kind = .determined(state) }
    for follower in followers where receives(follower, list) {
      report(.answer(.monitoring(follower.request, .event(event, list: list.list.name)), to: follower.client))
    }
  }

  private func receives(_ follower: Follower, _ list: MonitoredList) -> Bool {
    follower.list.map { $0 == list.id } ?? follower.identity.canSee(list.list.identity)
  }

  /// Sends the events that a program has missed, as far as access is currently allowed.
  func deliverPending(of list: MonitoredList, to followers: [Follower]) {
    var last: UInt64 = 0
    while let waiting = withStore({ store throws(DatabaseError) in
      try store.pending(of: list.id, pendingDeliveries: .programs, after: last, limit: Self.portion)
    }), let newest = waiting.last {
      last = newest.id
      let delivered = waiting.filter { list.active.contains($0.event.subject.use) }
      let counts = withStore { store throws(DatabaseError) in try store.countAttempts(delivered.map(\.id), .programs) }
      // Attempts that cannot be counted are not made; the events are sent at the next request.
      guard let counts else { return }
      for (pending, count) in zip(delivered, counts) {
        guard let count, let event = try? MonitoringEvent(kept: pending.event.body) else { continue }
        deliver(event, pending.id, attempt: count, of: list, to: followers)
      }
    }
  }

  private func deliver(
    _ event: MonitoringEvent, _ id: UInt64, attempt: Int, of list: MonitoredList, to followers: [Follower]
  ) {
    var event = event
    (event.id, event.attempt) = (id, attempt)
    for follower in followers {
      report(.answer(.monitoring(follower.request, .event(event, list: list.list.name)), to: follower.client))
    }
  }

  /// Reports the events that the destinations of positions may not have yet: locationd ended after the event was stored, and before
  /// it was in their outboxes.
  func repeatForDestinations() {
    var last: UInt64 = 0
    while let waiting = withStore({ store throws(DatabaseError) in
      try store.pending(pendingDeliveries: .destinations, after: last, limit: Self.portion)
    }), let newest = waiting.last {
      last = newest.id
      for pending in waiting {
        guard let list = lists[pending.event.list], var event = try? MonitoringEvent(kept: pending.event.body) else {
          continue
        }
        event.id = pending.id
        report(.happened(event, of: list.list, isRepeated: true))
      }
    }
  }

  // MARK: - Commands and notifications

  private func launch(
    _ event: MonitoringEvent, of list: MonitoredList, _ delivery: MonitoringDelivery, attempts: Int
  ) {
    var command: CommandToken?
    if delivery == .command {
      command =
        withStore { store throws(DatabaseError) in try store.launch(list.id, event.subject) }?.command(for: event)
      // The command was removed in the meantime.
      guard command != nil else { return done(event.id, .command) }
    }
    report(.launch(MonitoringLaunching(event: event, list: list.list, attempts: attempts, command: command)))
  }

  /// Launches a user's pending commands and notifications, as many as there is room for.
  func launchWaiting(of userID: UInt32) {
    for list in ordered where list.list.identity.userID == userID {
      for delivery in [MonitoringDelivery.command, .notification] {
        let waiting = withStore { store throws(DatabaseError) in
          try store.pending(of: list.id, pendingDeliveries: delivery, limit: Self.portion)
        }
        for pending in waiting ?? [] {
          guard var event = try? MonitoringEvent(kept: pending.event.body) else { continue }
          event.id = pending.id
          launch(event, of: list, delivery, attempts: pending.attempts[delivery] ?? 0)
        }
      }
    }
  }

  /// Counts a delivery attempt before it is made.
  func count(_ event: UInt64, _ delivery: MonitoringDelivery) {
    let count = withStore { store throws(DatabaseError) in try store.countAttempt(event, delivery) }
    report(count.map { .counted(event: event, delivery, attempt: $0) } ?? .notCounted(event: event, delivery))
  }
}

import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore

/// How events get to whoever they are for: at least once, and marked where it is not the first time.
extension MonitoringKeeper {
  /// Events that are read at once.
  private static let portion = 64

  /// Tells an event that has been kept.
  func tell(_ new: NewEvent, _ id: UInt64) {
    guard let list = lists[new.list], var event = try? MonitoringEvent(kept: new.body) else { return }
    event.id = id
    let receivers = followers.filter { $0.list == list.id && $0.receives }
    if new.owed.contains(.programs), !receivers.isEmpty { tell(event, of: list, to: receivers) }
    for follower in followers where hears(follower, list) && !follower.receives {
      report(.answer(.monitoring(follower.request, .event(event, list: list.list.name)), to: follower.client))
    }
    for delivery in [MonitoringDelivery.command, .notification] where new.owed.contains(delivery) {
      launch(event, of: list, delivery, attempts: 0)
    }
  }

  /// Tells one that nobody has to have heard.
  func tellListeners(of list: MonitoredList, _ event: MonitoringEvent, isWanted: Bool) {
    var event = event
    if !isWanted, case .crossed(let state) = event.happening { event.happening = .determined(state) }
    for follower in followers where hears(follower, list) {
      report(.answer(.monitoring(follower.request, .event(event, list: list.list.name)), to: follower.client))
    }
  }

  private func hears(_ follower: Follower, _ list: MonitoredList) -> Bool {
    follower.list.map { $0 == list.id } ?? follower.identity.sees(list.list.identity)
  }

  /// What a program has missed.
  func tellWaiting(of list: MonitoredList, to client: ClientID, _ request: RequestID) {
    let follower = followers.filter { $0.client == client && $0.request == request }
    var last: UInt64 = 0
    while let waiting = withStore({ store throws(DatabaseError) in
      try store.pending(of: list.id, owed: .programs, after: last, limit: Self.portion)
    }), let newest = waiting.last {
      for pending in waiting {
        guard var event = try? MonitoringEvent(kept: pending.event.body) else { continue }
        event.id = pending.id
        tell(event, of: list, to: follower)
      }
      last = newest.id
    }
  }

  private func tell(_ event: MonitoringEvent, of list: MonitoredList, to followers: [Follower]) {
    var event = event
    let count = withStore { store throws(DatabaseError) in try store.countAttempt(event.id, .programs) }
    guard let count, let attempt = count else { return }
    event.attempt = attempt
    for follower in followers {
      report(.answer(.monitoring(follower.request, .event(event, list: list.list.name)), to: follower.client))
    }
  }

  // MARK: - Commands and notices

  private func launch(
    _ event: MonitoringEvent, of list: MonitoredList, _ delivery: MonitoringDelivery, attempts: Int
  ) {
    var command: CommandToken?
    if delivery == .command {
      command =
        withStore { store throws(DatabaseError) in try store.launch(list.id, event.subject) }?.command(for: event)
      // Nothing is to be run for it any more.
      guard command != nil else { return carryOut(.told(event: event.id, .command), at: present) }
    }
    report(.launch(MonitoringLaunching(event: event, list: list.list, attempts: attempts, command: command)))
  }

  /// Commands and notices of a user that have not been told, as many as there is room for.
  func launchWaiting(of userID: UInt32) {
    for list in ordered where list.list.identity.userID == userID {
      for delivery in [MonitoringDelivery.command, .notification] {
        let waiting = withStore { store throws(DatabaseError) in
          try store.pending(of: list.id, owed: delivery, limit: Self.portion)
        }
        for pending in waiting ?? [] {
          guard var event = try? MonitoringEvent(kept: pending.event.body) else { continue }
          event.id = pending.id
          launch(event, of: list, delivery, attempts: pending.attempts[delivery] ?? 0)
        }
      }
    }
  }

  /// Counts that an event is about to be told, before it is.
  func count(_ event: UInt64, _ delivery: MonitoringDelivery) {
    let count = withStore { store throws(DatabaseError) in try store.countAttempt(event, delivery) }
    report(.counted(event: event, delivery, attempt: count ?? nil))
  }
}

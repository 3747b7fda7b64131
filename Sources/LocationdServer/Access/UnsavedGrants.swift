package import Geodesy
package import LocationPolicy
package import LocationStore

/// Decisions that are not on disk yet: determines when they are written, and which result the waiting clients receive.
///
/// For each identity only the newest change is pending; a removal of an entry that is not on disk is not pending at
/// all. Repeated decisions therefore neither grow the queue nor keep the disk busy.
package struct UnsavedGrants: Sendable {
  /// A caller that waits for the disk.
  package struct Ticket: Hashable, Sendable {
    package let value: Int

    package init(_ value: Int) { self.value = value }
  }

  package enum Input: Hashable, Sendable {
    /// The identities that are on disk at the start.
    case loaded([ClientIdentity])
    case changed(GrantChange)
    /// A caller waits until all changes so far are stored.
    case awaited(Ticket)
    /// The last `.write` is on disk.
    case written
    case failed(GrantStorageProblem)
    /// `nextDeadline` was reached. An early call has no effect.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Start a write. It is answered by `.written` or `.failed`; no other write starts before that.
    case write([GrantChange])
    case kept(Ticket)
    /// The decision is in effect, and the write will be repeated.
    case notKept(Ticket, GrantStorageProblem)
    /// The state of the disk differs from the last report; `nil`: writing works again.
    case report(GrantStorageProblem?)
  }

  /// The maximum time that a caller waits for the disk.
  package static let patience = Duration.seconds(2)
  /// The pause between two transactions, each of which costs a storage card a few sectors.
  package static let rest = Duration.milliseconds(250)
  /// The pause after a failure if no caller waits; doubled with each failure.
  package static let retry = (first: Duration.seconds(1), longest: Duration.seconds(60))

  private var changes: [GrantChange.Subject: (change: GrantChange, number: Int)] = [:]
  private var lastNumber = 0
  /// The identities for which the disk may have an entry.
  private var onDisk: Set<ClientIdentity> = []
  /// The current write: the number of the last change in it, and the identities that were not on disk before.
  private var writing: (upTo: Int, new: Set<ClientIdentity>)?
  private var endedAt: Instant?
  private var failures = 0
  private var reported: GrantStorageProblem?
  private var waiting: [(ticket: Ticket, upTo: Int, until: Instant)] = []

  package init() {}

  /// The number of pending changes.
  package var count: Int { changes.count }

  /// All pending changes, in order.
  package var all: [GrantChange] { changes.values.sorted { $0.number < $1.number }.map(\.change) }

  /// When `.wake` is due; `nil` if nothing is pending.
  package var nextDeadline: Instant? { [waiting.map(\.until).min(), writeAt].compactMap(\.self).min() }

  /// When to write; `nil` if there is nothing to write, or if a write is in progress.
  private var writeAt: Instant? {
    guard writing == nil, !changes.isEmpty else { return nil }
    guard let endedAt else { return Instant(nanoseconds: 0) }
    // A user who decides again may have freed space on the disk.
    guard failures > 0, waiting.isEmpty else { return endedAt + Self.rest }
    return endedAt + min(Self.retry.longest, Self.retry.first * (1 << min(failures - 1, 10)))
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .loaded(let identities): onDisk = Set(identities)
    case .changed(let change): receive(change)
    case .awaited(let ticket):
      guard !changes.isEmpty else { return [.kept(ticket)] }
      waiting.append((ticket, lastNumber, now + Self.patience))
    case .written: actions = succeed(at: now)
    case .failed(let problem): actions = fail(problem, at: now)
    case .wake: break
    }
    for waiter in waiting where now >= waiter.until {
      actions.append(.notKept(waiter.ticket, .late(after: Self.patience)))
    }
    waiting.removeAll { now >= $0.until }
    if let writeAt, now >= writeAt { actions.append(write()) }
    return actions
  }

  private mutating func receive(_ change: GrantChange) {
    lastNumber += 1
    if case .grant(let identity, nil) = change, !onDisk.contains(identity) {
      changes[change.subject] = nil
    } else {
      changes[change.subject] = (change, lastNumber)
    }
  }

  private mutating func write() -> Action {
    let batch = all
    var new: Set<ClientIdentity> = []
    for case .grant(let identity, _?) in batch where onDisk.insert(identity).inserted { new.insert(identity) }
    writing = (lastNumber, new)
    return .write(batch)
  }

  private mutating func succeed(at now: Instant) -> [Action] {
    guard let written = writing else { return [] }
    for (subject, waits) in changes where waits.number <= written.upTo {
      if case .grant(let identity, nil) = waits.change { onDisk.remove(identity) }
      changes[subject] = nil
    }
    (writing, endedAt, failures) = (nil, now, 0)
    defer { reported = nil }
    return (reported == nil ? [] : [.report(nil)]) + leave(upTo: written.upTo).map { .kept($0) }
  }

  private mutating func fail(_ problem: GrantStorageProblem, at now: Instant) -> [Action] {
    guard let written = writing else { return [] }
    onDisk.subtract(written.new)
    // The failed write did not add these entries, so their removal needs no write.
    for case (let subject, (.grant(let identity, nil), _)) in changes where !onDisk.contains(identity) {
      changes[subject] = nil
    }
    (writing, endedAt, failures) = (nil, now, failures + 1)
    defer { reported = problem }
    return (reported == problem ? [] : [.report(problem)]) + leave(upTo: written.upTo).map { .notKept($0, problem) }
  }

  private mutating func leave(upTo number: Int) -> [Ticket] {
    defer { waiting.removeAll { $0.upTo <= number } }
    return waiting.filter { $0.upTo <= number }.map(\.ticket)
  }
}

/// Why decisions are not on disk.
package enum GrantStorageProblem: Hashable, Sendable {
  /// The write failed; `reason` is a clause for a message.
  case failed(reason: String, StorageCause)
  /// The write has not finished within the given time.
  case late(after: Duration)
}

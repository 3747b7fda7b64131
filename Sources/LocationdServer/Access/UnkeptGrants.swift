package import Geodesy
package import LocationPolicy
package import LocationStore

/// What was decided and is not on the disk yet: when it is written, and what they are told who decided.
///
/// Of each identity the newest change alone waits, and none of what the disk does not know and need not: nobody makes it grow,
/// or the disk busy, by deciding again and again.
package struct UnkeptGrants: Sendable {
  /// Somebody who waits for the disk.
  package struct Ticket: Hashable, Sendable {
    package let value: Int

    package init(_ value: Int) { self.value = value }
  }

  package enum Input: Hashable, Sendable {
    /// What the disk has, at the start.
    case loaded([ClientIdentity])
    case changed(GrantChange)
    /// Somebody waits until all changes so far are kept.
    case awaited(Ticket)
    /// What was to be written is on the disk.
    case written
    case failed(KeepingProblem)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Answered by `.written` or `.failed`; nothing else is written meanwhile.
    case write([GrantChange])
    case kept(Ticket)
    /// It holds, and is tried again.
    case notKept(Ticket, KeepingProblem)
    /// What was last told of the disk is no longer so; `nil`: all is well again.
    case report(KeepingProblem?)
  }

  /// So long one who has decided waits for the disk.
  package static let patience = Duration.seconds(2)
  /// Between two transactions, each of which costs the card a few sectors.
  package static let rest = Duration.milliseconds(250)
  /// After a failure where nobody waits; doubled with each.
  package static let retry = (first: Duration.seconds(1), longest: Duration.seconds(60))

  private var changes: [GrantChange.Subject: (change: GrantChange, number: Int)] = [:]
  private var lastNumber = 0
  /// The identities of which the disk may have something.
  private var onDisk: Set<ClientIdentity> = []
  /// What is being written: up to which change, and identities that the disk did not have.
  private var writing: (upTo: Int, new: Set<ClientIdentity>)?
  private var endedAt: Instant?
  private var failures = 0
  private var reported: KeepingProblem?
  private var waiting: [(ticket: Ticket, upTo: Int, until: Instant)] = []

  package init() {}

  /// How many changes wait.
  package var count: Int { changes.count }

  /// All that waits, in its order.
  package var all: [GrantChange] { changes.values.sorted { $0.number < $1.number }.map(\.change) }

  /// When `.wake` is due; `nil`: nothing waits.
  package var nextDeadline: Instant? { [waiting.map(\.until).min(), writeAt].compactMap(\.self).min() }

  /// When to write; `nil`: there is nothing, or it is being written.
  private var writeAt: Instant? {
    guard writing == nil, !changes.isEmpty else { return nil }
    guard let endedAt else { return Instant(nanoseconds: 0) }
    // Who decides anew may have made room.
    guard failures > 0, waiting.isEmpty else { return endedAt + Self.rest }
    return endedAt + min(Self.retry.longest, Self.retry.first * (1 << min(failures - 1, 10)))
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .loaded(let identities): onDisk = Set(identities)
    case .changed(let change): take(change)
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

  private mutating func take(_ change: GrantChange) {
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

  private mutating func fail(_ problem: KeepingProblem, at now: Instant) -> [Action] {
    guard let written = writing else { return [] }
    onDisk.subtract(written.new)
    // What was struck out meanwhile is not there to be.
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

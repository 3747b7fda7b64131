import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// Makes the decisions that a `GrantBook` stores.
protocol GrantOwner: AnyObject {
  /// The complete state, for a file that was deleted or damaged since it was loaded.
  var everything: [GrantChange] { get }
  /// Receives the problem that prevents writing, and `nil` when writing works again.
  func receive(_ problem: KeepingProblem?)
}

/// Stores authorization decisions. A worker thread writes the changes and then ends, so that a slow card does not block the loop.
final class GrantBook {
  private let loop: EventLoop
  private let stateFolder: String
  private let outcomes: LoopMailbox<KeepingProblem?>
  private var unkept = UnkeptGrants()
  private var writer: WorkerThread?
  private var waiting: [UnkeptGrants.Ticket: (KeepingProblem?) -> Void] = [:]
  private var lastTicket = 0
  private lazy var timer = EarliestTimer(loop) { [unowned self] in feed(.wake) }

  private weak var owner: (any GrantOwner)?

  init(loop: EventLoop, stateFolder: String) throws(SystemError) {
    self.loop = loop
    self.stateFolder = stateFolder
    outcomes = try LoopMailbox()
    try loop.receive(from: outcomes) { [weak self] in self?.hear($0) }
  }

  /// Loads the stored decisions, which `owner` changes from now on. If they cannot be read, no grant is in effect.
  func load(for owner: any GrantOwner) -> RememberedGrants {
    self.owner = owner
    do throws(DatabaseError) {
      switch try KeptGrants.load(stateFolder: stateFolder) {
      case .none: return RememberedGrants()
      case .whole(let grants, let isOn, let reduced):
        feed(.loaded(grants.map(\.identity)))
        return RememberedGrants(grants: grants, isOn: isOn, reduced: reduced)
      case .readOnly(let grants, let isOn, let reduced, let error):
        feed(.loaded(grants.map(\.identity)))
        var remembered = RememberedGrants(grants: grants, isOn: isOn, reduced: reduced)
        remembered.problem = KeepingProblem(error)
        return remembered
      case .damaged(let name, let remains):
        return RememberedGrants(grants: remains.refusals, isOn: remains.isOn, loss: .damaged(setAside: name))
      }
    } catch {
      return RememberedGrants(isOn: nil, loss: .unreadable(KeepingProblem(error)))
    }
  }

  /// Writes what could be recovered from a damaged file: without it, the new file would say that nothing was switched off.
  func beginAnew() { for change in everything { keep(change) } }

  func keep(_ change: GrantChange) { feed(.changed(change)) }

  /// Calls `body` when all changes so far are on disk, or with the reason why they are not; at once if no change is pending.
  func whenKept(_ body: @escaping (KeepingProblem?) -> Void) {
    lastTicket += 1
    let ticket = UnkeptGrants.Ticket(lastTicket)
    waiting[ticket] = body
    feed(.awaited(ticket))
  }

  /// Waits until everything is written or has failed; for use when the loop no longer runs.
  func finish() {
    if let writer = writer.take() {
      writer.join()
      for outcome in outcomes.takeAll() { _ = unkept.handle(outcome.map { .failed($0) } ?? .written, at: loop.now) }
    }
    let changes = unkept.all
    guard !changes.isEmpty, let problem = Self.write(changes, else: everything, to: stateFolder) else { return }
    owner?.receive(problem)
  }

  // MARK: -

  private var everything: [GrantChange] { owner?.everything ?? [] }

  private func feed(_ input: UnkeptGrants.Input) {
    for action in unkept.handle(input, at: loop.now) {
      switch action {
      case .write(let changes): write(changes)
      case .kept(let ticket): waiting.removeValue(forKey: ticket)?(nil)
      case .notKept(let ticket, let problem): waiting.removeValue(forKey: ticket)?(problem)
      case .report(let problem): owner?.receive(problem)
      }
    }
    timer.arm(for: unkept.nextDeadline)
  }

  private func write(_ changes: [GrantChange]) {
    do throws(SystemError) {
      writer = try Self.begin(changes, else: everything, to: stateFolder, outcomes)
    } catch {
      // It is tried again later, when a thread may be available.
      outcomes.post(KeepingProblem(.system(error)))
    }
  }

  private static func begin(
    _ changes: [GrantChange], else everything: [GrantChange], to folder: String,
    _ outcomes: LoopMailbox<KeepingProblem?>
  ) throws(SystemError) -> WorkerThread {
    try WorkerThread(name: "grants") { outcomes.post(write(changes, else: everything, to: folder)) }
  }

  private func hear(_ outcome: KeepingProblem?) {
    // The thread has nothing left to do and is about to end.
    writer.take()?.join()
    feed(outcome.map { .failed($0) } ?? .written)
  }

  /// Writes the changes; to a new file, the complete state.
  private static func write(
    _ changes: [GrantChange], else everything: [GrantChange], to folder: String
  ) -> KeepingProblem? {
    let isNew = !PrivateFolder.hasFile(GrantStore.fileName, in: folder)
    do throws(DatabaseError) {
      let store = try GrantStore(stateFolder: folder)
      try store.keep(isNew || store.setAside != nil ? everything : changes)
      return nil
    } catch {
      // Delete an empty new file, because the next start would take it for a damaged one.
      let path = GrantStore.path(in: folder)
      if isNew, (try? PrivateFolder.entry(path)) == .file(size: 0) { StateFile.remove(path) }
      return KeepingProblem(error)
    }
  }
}

extension KeepingProblem {
  init(_ error: DatabaseError) {
    self = .failed(reason: error.cause == .damaged ? "the file is damaged" : error.words, error.cause)
  }
}

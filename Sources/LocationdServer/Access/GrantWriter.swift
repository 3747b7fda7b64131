import LinuxIO
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// Makes the decisions that a `GrantWriter` stores.
protocol GrantOwner: AnyObject {
  /// The complete state, for a file that was deleted or damaged since it was loaded.
  var everything: [GrantChange] { get }
  /// Receives the problem that prevents writing, and `nil` when writing works again.
  func receive(_ problem: GrantStorageProblem?)
}

/// Stores authorization decisions. A worker thread writes the changes and then ends, so that a slow storage card does not block
/// the loop.
final class GrantWriter {
  private let loop: EventLoop
  private let stateFolder: String
  private let outcomes: LoopMailbox<GrantStorageProblem?>
  private var unkept = UnsavedGrants()
  private var writer: WorkerThread?
  private var waiting: [UnsavedGrants.Ticket: (GrantStorageProblem?) -> Void] = [:]
  private var lastTicket = 0
  private lazy var timer = EarliestTimer(loop) { [unowned self] in handle(.wake) }

  private weak var owner: (any GrantOwner)?

  init(loop: EventLoop, stateFolder: String) throws(SystemError) {
    self.loop = loop
    self.stateFolder = stateFolder
    outcomes = try LoopMailbox()
    try loop.receive(from: outcomes) { [weak self] in self?.receive($0) }
  }

  /// Loads the stored decisions, which `owner` changes from now on. If they cannot be read, no grant is in effect.
  func load(for owner: any GrantOwner) -> LoadedGrants {
    self.owner = owner
    do throws(DatabaseError) {
      switch try StoredGrants.load(stateFolder: stateFolder) {
      case .none: return LoadedGrants()
      case .whole(let grants, let isOn, let reduced):
        handle(.loaded(grants.map(\.identity)))
        return LoadedGrants(grants: grants, isOn: isOn, reduced: reduced)
      case .readOnly(let grants, let isOn, let reduced, let error):
        handle(.loaded(grants.map(\.identity)))
        var remembered = LoadedGrants(grants: grants, isOn: isOn, reduced: reduced)
        remembered.problem = GrantStorageProblem(error)
        return remembered
      case .damaged(let name, let remains):
        return LoadedGrants(grants: remains.refusals, isOn: remains.isOn, loss: .damaged(setAside: name))
      }
    } catch {
      return LoadedGrants(isOn: nil, loss: .unreadable(GrantStorageProblem(error)))
    }
  }

  /// Writes the decisions that were recovered from a damaged file: without them, the new file would state that nothing
  /// was switched off.
  func restart() { for change in everything { keep(change) } }

  func keep(_ change: GrantChange) { handle(.changed(change)) }

  /// Calls `body` when all changes so far are on disk, or with the reason why they are not. Calls it at once if no
  /// change is pending.
  func whenKept(_ body: @escaping (GrantStorageProblem?) -> Void) {
    lastTicket += 1
    let ticket = UnsavedGrants.Ticket(lastTicket)
    waiting[ticket] = body
    handle(.awaited(ticket))
  }

  /// Waits until everything is written or has failed; for use after the loop has ended.
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

  private func handle(_ input: UnsavedGrants.Input) {
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
      // The write is repeated later, when a thread may be available.
      outcomes.post(GrantStorageProblem(.system(error)))
    }
  }

  private static func begin(
    _ changes: [GrantChange], else everything: [GrantChange], to folder: String,
    _ outcomes: LoopMailbox<GrantStorageProblem?>
  ) throws(SystemError) -> WorkerThread {
    try WorkerThread(name: "grants") { outcomes.post(write(changes, else: everything, to: folder)) }
  }

  private func receive(_ outcome: GrantStorageProblem?) {
    // The thread has nothing left to do and is about to end.
    writer.take()?.join()
    handle(outcome.map { .failed($0) } ?? .written)
  }

  /// Writes the changes, or the complete state if the file is new.
  private static func write(
    _ changes: [GrantChange], else everything: [GrantChange], to folder: String
  ) -> GrantStorageProblem? {
    let isNew = !PrivateFolder.hasFile(GrantStore.fileName, in: folder)
    do throws(DatabaseError) {
      let store = try GrantStore(stateFolder: folder)
      try store.keep(isNew || store.setAside != nil ? everything : changes)
      return nil
    } catch {
      // An empty new file is deleted, because the next start would treat it as damaged.
      let path = GrantStore.path(in: folder)
      if isNew, (try? PrivateFolder.entry(path)) == .file(size: 0) { StateFile.remove(path) }
      return GrantStorageProblem(error)
    }
  }
}

extension GrantStorageProblem {
  init(_ error: DatabaseError) {
    self = .failed(reason: error.cause == .damaged ? "the file is damaged" : error.words, error.cause)
  }
}

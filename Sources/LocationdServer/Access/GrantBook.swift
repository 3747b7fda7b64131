import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// Keeps who may know where the machine is. A slow card holds up nobody: a thread of its own writes what has changed, and ends.
final class GrantBook {
  private let loop: EventLoop
  private let stateFolder: String
  private let outcomes: LoopMailbox<KeepingProblem?>
  private var unkept = UnkeptGrants()
  private var writer: WorkerThread?
  private var waiting: [UnkeptGrants.Ticket: (KeepingProblem?) -> Void] = [:]
  private var lastTicket = 0
  private lazy var timer = EarliestTimer(loop) { [unowned self] in feed(.wake) }

  /// Everything that is to be kept, for a file that has gone or was damaged meanwhile.
  var everything: () -> [GrantChange] = { [] }
  /// Hears what keeps it from being written, and `nil` when it could be again.
  var onProblem: ((KeepingProblem?) -> Void)?

  init(loop: EventLoop, stateFolder: String) throws(SystemError) {
    self.loop = loop
    self.stateFolder = stateFolder
    outcomes = try LoopMailbox()
    try loop.receive(from: outcomes) { [weak self] in self?.hear($0) }
  }

  /// What was kept. Where that cannot be read nobody has what was granted.
  func load() -> RememberedGrants {
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

  /// Writes down what is left of what was damaged: a file without it would be one in which nobody has switched anything off.
  func beginAnew() { for change in everything() { keep(change) } }

  func keep(_ change: GrantChange) { feed(.changed(change)) }

  /// Calls `body` when all changes so far are on the disk, or says why they are not; at once where nothing waits.
  func whenKept(_ body: @escaping (KeepingProblem?) -> Void) {
    lastTicket += 1
    let ticket = UnkeptGrants.Ticket(lastTicket)
    waiting[ticket] = body
    feed(.awaited(ticket))
  }

  /// Waits until everything is on the disk, or cannot be brought there; the loop does not run any more.
  func finish() {
    if let writer = writer.take() {
      writer.join()
      for outcome in outcomes.takeAll() { _ = unkept.handle(outcome.map { .failed($0) } ?? .written, at: loop.now) }
    }
    let changes = unkept.all
    guard !changes.isEmpty, let problem = Self.write(changes, else: everything(), to: stateFolder) else { return }
    onProblem?(problem)
  }

  // MARK: -

  private func feed(_ input: UnkeptGrants.Input) {
    for action in unkept.handle(input, at: loop.now) {
      switch action {
      case .write(let changes): write(changes)
      case .kept(let ticket): waiting.removeValue(forKey: ticket)?(nil)
      case .notKept(let ticket, let problem): waiting.removeValue(forKey: ticket)?(problem)
      case .report(let problem): onProblem?(problem)
      }
    }
    timer.arm(for: unkept.nextDeadline)
  }

  private func write(_ changes: [GrantChange]) {
    do throws(SystemError) {
      writer = try Self.begin(changes, else: everything(), to: stateFolder, outcomes)
    } catch {
      // Tried again, when there may be room for a thread.
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
    // It has nothing left to do but to end.
    writer.take()?.join()
    feed(outcome.map { .failed($0) } ?? .written)
  }

  /// Writes the changes; to a file that begins anew, all that there is.
  private static func write(
    _ changes: [GrantChange], else everything: [GrantChange], to folder: String
  ) -> KeepingProblem? {
    let isNew = !PrivateFolder.hasFile(GrantStore.fileName, in: folder)
    do throws(DatabaseError) {
      let store = try GrantStore(stateFolder: folder)
      try store.keep(isNew || store.setAside != nil ? everything : changes)
      return nil
    } catch {
      // Empty it would be taken for a damaged one.
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

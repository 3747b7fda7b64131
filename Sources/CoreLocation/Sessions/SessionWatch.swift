import LocationIPC
import LocationPolicy
import Synchronization

/// Follows what stands against a session until that ends, and asks for what it wants. The first word comes also when nothing
/// does.
final class SessionWatch: Sendable {
  /// Each state that differs from the one before; for one loop, which need not see all but sees the newest.
  let obstacles: AsyncStream<Circumstances>
  private let session: Session
  private let task: Task<Void, Never>

  init(_ requirement: SessionRequirement, _ source: any AuthorizationSource) {
    let (stream, continuation) = AsyncStream.makeStream(of: Circumstances.self, bufferingPolicy: .bufferingNewest(1))
    obstacles = stream
    let session = Session(requirement, source, continuation)
    self.session = session
    let states = source.states()
    session.begin()
    task = Task {
      for await state in states { session.handle(.state(state)) }
      session.end()
    }
  }

  deinit { end() }

  /// Ends it for good.
  func end() {
    task.cancel()
    session.end()
  }

  /// The session while it lasts, where the threads meet that know of it.
  private final class Session: Sendable {
    private let source: any AuthorizationSource
    private let continuation: AsyncStream<Circumstances>.Continuation
    private let requirement: SessionRequirement
    private let machine: Mutex<SessionMachine>
    private let hasEnded = Atomic(false)
    /// Its number as a CLServiceSession, or as an activity.
    private let number: UInt64
    private let listener = Atomic<UInt64>(0)

    init(
      _ requirement: SessionRequirement, _ source: any AuthorizationSource,
      _ continuation: AsyncStream<Circumstances>.Continuation
    ) {
      self.source = source
      self.continuation = continuation
      self.requirement = requirement
      let sessions = ProcessSessions.shared
      number = requirement.isImplicit ? sessions.newNumber() : sessions.add(requirement.authorization)
      machine = Mutex(
        SessionMachine(
          requirement, isExplicit: ProgramDescription.shared.requiresSession,
          mayRunInBackground: ProgramDescription.shared.mayRunInBackground, coverage: sessions.coverage))
    }

    func begin() {
      guard requirement.isImplicit else { return }
      let listener = ProcessSessions.shared.listen { [weak self] in
        self?.handle(.coverage(ProcessSessions.shared.coverage))
      }
      self.listener.store(listener, ordering: .releasing)
    }

    func handle(_ input: SessionMachine.Input) {
      guard !hasEnded.load(ordering: .acquiring) else { return }
      let (actions, isActive) = machine.withLock { machine in
        let actions = machine.handle(input)
        for case .tell(let obstacles) in actions { continuation.yield(obstacles) }
        return (actions, machine.isActive)
      }
      if requirement.isActivity { ProcessSessions.shared.setActive(number, isActive) }
      for action in actions {
        switch action {
        case .tell: break
        case .ask(let always): source.ask(always: always) { [weak self] in self?.handle(.asked) }
        case .askFullAccuracy(let key):
          source.askFullAccuracy(purposeKey: key) { [weak self] in self?.handle(.fullAccuracy($0)) }
        }
      }
    }

    func end() {
      guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
      continuation.finish()
      let sessions = ProcessSessions.shared
      if requirement.isImplicit {
        sessions.forget(listener.load(ordering: .acquiring))
      } else {
        sessions.remove(number)
      }
      if requirement.isActivity { sessions.setActive(number, false) }
    }
  }
}

/// Who knows what a program may have, and whom to ask for it.
protocol AuthorizationSource: Sendable {
  /// The state, once it is known, and every later one, for as long as somebody listens; only the newest counts.
  func states() -> AsyncStream<AuthorizationState>
  /// Asks for a level; `answered` once that is taken up, or nobody is asked.
  func ask(always: Bool, _ answered: @escaping @Sendable () -> Void)
  /// Asks for full accuracy for now.
  func askFullAccuracy(purposeKey: String, _ answered: @escaping @Sendable (FullAccuracyAnswer) -> Void)
}

extension ProcessAuthorization: AuthorizationSource {
  func states() -> AsyncStream<AuthorizationState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let listener = listen { continuation.yield($0) }
      continuation.onTermination = { _ in self.forget(listener) }
      if let known { continuation.yield(known) }
    }
  }
}

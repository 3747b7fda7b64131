import LocationIPC
import LocationPolicy
import Synchronization

/// Makes the requests of a session, and reports the obstacles to it until it ends. The first report comes even if there
/// are no obstacles.
final class SessionWatch: Sendable {
  /// The obstacles at every change; for one loop, which may skip states but always receives the newest.
  let obstacles: AsyncStream<DiagnosticFlags>
  private let session: Session
  private let task: Task<Void, Never>

  init(_ requirement: SessionRequirement, _ source: any AuthorizationSource) {
    let (stream, continuation) = AsyncStream.makeStream(of: DiagnosticFlags.self, bufferingPolicy: .bufferingNewest(1))
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

  /// Ends the session permanently.
  func end() {
    task.cancel()
    session.end()
  }

  /// The state of the session, shared by its threads.
  private final class Session: Sendable {
    private let source: any AuthorizationSource
    private let continuation: AsyncStream<DiagnosticFlags>.Continuation
    private let requirement: SessionRequirement
    private let machine: Mutex<SessionMachine>
    private let hasEnded = Atomic(false)
    /// The session's number as a CLServiceSession, or as an activity session.
    private let number: UInt64
    private let listener = Atomic<UInt64>(0)

    init(
      _ requirement: SessionRequirement, _ source: any AuthorizationSource,
      _ continuation: AsyncStream<DiagnosticFlags>.Continuation
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
        for case .report(let obstacles) in actions { continuation.yield(obstacles) }
        return (actions, machine.isActive)
      }
      if requirement.isActivity { ProcessSessions.shared.setActive(number, isActive) }
      for action in actions {
        switch action {
        case .report: break
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

/// Provides a program's authorization, and makes its requests.
protocol AuthorizationSource: Sendable {
  /// The state once it is known, and every later state, while there is a consumer; only the newest is buffered.
  func states() -> AsyncStream<AuthorizationState>
  /// Requests a level; calls `answered` once the request is accepted, or if there is no prompt.
  func ask(always: Bool, _ answered: @escaping @Sendable () -> Void)
  /// Requests temporary full accuracy.
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

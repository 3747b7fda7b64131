import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import NetworkSources

/// The connection to one caster: executes the actions of its `NTRIPSession`, with connections of the network helper.
final class CasterStream: CorrectionStream {
  private let loop: EventLoop
  private let memory: CorrectionMemory
  private let pass: (RTCMFrame) -> Void
  private var session: NTRIPSession
  private var link: NetworkLink?
  private var timer: TimerID?

  init(
    _ configuration: CasterConfiguration, memory: CorrectionMemory, release: String, loop: EventLoop,
    _ pass: @escaping (RTCMFrame) -> Void
  ) {
    (self.loop, self.memory, self.pass) = (loop, memory, pass)
    let stored = memory.load(now: WallClock.believable)
    session = NTRIPSession(
      configuration, release: release, memory: stored?.memory, elapsed: stored?.elapsed ?? .zero,
      isSameConfiguration: stored?.isSame ?? false, at: loop.now, seed: .random(in: 0 ... .max))
  }

  func begin(at fix: PositionFix?) {
    moved(to: fix)
    handle(.start)
  }

  func moved(to fix: PositionFix?) { handle(.position(fix.flatMap { CasterPosition($0) })) }

  func close() {
    handle(.stop)
    link?.close()
    link = nil
    if let timer { loop.cancel(timer) }
    timer = nil
  }

  private func handle(_ input: NTRIPSession.Input) { execute(session.handle(input, at: loop.now)) }

  private func execute(_ actions: [NTRIPSession.Action]) {
    for action in actions {
      switch action {
      case .store(let new): memory.store(new, now: WallClock.believable)
      case .connect(let server, let isEncrypted): connect(.connect(server, isEncrypted: isEncrypted))
      case .send(let bytes): link?.send(bytes)
      case .close:
        link?.close()
        link = nil
      case .pass(let frame): pass(frame)
      case .report: break
      }
    }
    arm()
  }

  private func connect(_ order: NetworkOrder) {
    link = NetworkLink(loop: loop, order) { [unowned self] event in
      switch event {
      case .connected: handle(.connected)
      case .received(let bytes): execute(session.receive(bytes.span, at: loop.now))
      case .dropped, .accepted: break
      case .ended(let problem):
        link = nil
        handle(problem == .closed ? .closed : .failed(problem))
      }
    }
  }

  private func arm() {
    guard let deadline = session.nextDeadline else {
      if let timer { loop.cancel(timer) }
      timer = nil
      return
    }
    if let timer, loop.reschedule(timer, at: deadline) { return }
    timer = loop.schedule(at: deadline) { [unowned self] in
      timer = nil
      handle(.wake)
    }
  }

  // MARK: - The status

  var state: CorrectionStatus.State {
    switch session.status {
    case .idle: .idle
    case .waitingForPosition: .waitingForPosition
    case .connecting: .connecting
    case .waiting: .waiting
    case .streaming: .streaming
    case .pausing: .pausing
    case .stopped: .stopped
    }
  }

  private var cause: NTRIPProblem? {
    switch session.status {
    case .pausing(let problem, _): problem
    case .stopped(let problem): problem
    case .idle, .waitingForPosition, .connecting, .waiting, .streaming: nil
    }
  }

  var problem: CorrectionStatus.Problem? { cause.map { CorrectionStatus.Problem($0) } }
  var sentence: String? { cause.map { "The caster \($0.sentenceOfClient)." } }
}

extension CorrectionStatus.Problem {
  /// The kind of a problem.
  init(_ problem: NTRIPProblem) {
    self =
      switch problem {
      case .connection(.silent), .silent: .silent
      case .connection, .noAnswer, .lateAnswer: .unreachable
      case .unauthorized: .refused
      case .noSuchMount, .mountOffline: .wrongMount
      case .refused: .banned
      case .notACaster, .webPage, .redirected, .error, .encoded, .badChunks, .noCorrections: .noCorrections
      }
  }
}

import Geodesy
import LinuxIO
import LocationIPC
import LocationdClient

/// One command's use of the service: sends the requests of its handler, passes the replies on, and ends the command by a reply, a
/// signal, a closed output or a failure. A session runs once.
final class CommandSession {
  /// The number of the request of a command that has only one.
  static let request = RequestID(1)
  private static let authorizationWatch = RequestID(2_000_000)
  private static let authorizationRequest = RequestID(.max)
  private static let progressSky = RequestID(2_000_001)

  private let host: any ServiceAccess
  /// `nil`: the command shows no progress.
  private var progress: ProgressDisplay?
  private var receivers: [RequestID: (ServiceEvent) -> Void] = [:]
  private var handler: (any CommandHandler)?
  private var status: CommandStatus?
  /// Called before the message of a failure is printed, and when the command ends: leaves the screen that the command draws on.
  var onLeavingScreen: (() -> Void)?

  init(_ host: any ServiceAccess) { self.host = host }

  /// Whether the daemon serves this session, and not a service hosted in this process.
  var isServedByDaemon: Bool { host is RemoteHost }
  /// Path of the one receiver that requests concern; `nil`: any receiver.
  var device: String? { host.device }
  /// The time by the clock of the service.
  var now: Instant { host.now }
  var loop: EventLoop { host.surroundings.loop }
  var isOver: Bool { status != nil }

  // MARK: - Start

  /// Runs `handler` until the session is over; returns the exit status.
  func run(_ handler: some CommandHandler) -> CommandStatus {
    self.handler = handler
    host.onEvent = { [unowned self] in receive($0) }
    host.onSignal = { [unowned self] in finish(CommandStatus(signal: $0)) }
    // Break the reference cycle: a handler holds its session.
    defer {
      host.onEvent = nil
      receivers = [:]
      self.handler = nil
    }
    handler.start()
    do throws(HostError) {
      if status == nil { try host.run() }
    } catch {
      fail(FailureMessage(error))
    }
    if status == nil { fail(.serviceEnded) }
    return status ?? .protocolError
  }

  /// Sends a request. `handler` receives the replies.
  func send<Handler: CommandHandler>(
    _ request: ServiceRequest<Handler.Reply>, as id: RequestID = request, for handler: Handler
  ) {
    send(request.message(id), for: handler) { request.event($0) }
  }

  /// The same. `event`: what the service has sent; `nil`: a reply of another kind than the request calls for.
  func send<Handler: CommandHandler>(
    _ message: ClientRequest, for handler: Handler,
    event: @escaping (ServiceEvent) -> RequestEvent<Handler.Reply>?
  ) {
    let id = message.id
    receivers[id] = { [unowned handler] message in
      switch event(message) {
      case .reply(let reply)?: handler.receive(reply, to: id)
      case .progress(let progress)?: handler.receive(progress, of: id)
      case .failed(let failure)?: handler.receive(failure, of: id)
      case nil: handler.receiveMismatch(to: id)
      }
    }
    host.send(message)
    progress.map(watchAuthorization(for:))
  }

  /// Sends a request whose replies do not matter.
  func send<Reply>(_ request: ServiceRequest<Reply>, as id: RequestID) { host.send(request.message(id)) }

  /// Asks for access to the location, so that the request appears in the administrator's list. The outcome is part of the replies to
  /// the requests that need the access.
  func askForAuthorization(always: Bool) {
    // A service hosted in this process has no list of requests.
    guard isServedByDaemon else { return }
    send(.authorization(.ask(always: always)), as: Self.authorizationRequest)
  }

  /// Calls `body` after `delay`, unless the session is over by then.
  func setTimer(after delay: Duration, _ body: @escaping () -> Void) {
    host.setTimer(after: delay) { [weak self] in if self?.isOver == false { body() } }
  }

  /// Calls `body` when the terminal no longer shows what was drawn there.
  func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) {
    host.onTerminalChange { [weak self] in if self?.isOver == false { body($0) } }
  }

  /// Calls `body` before this process is stopped from the terminal (Ctrl-Z).
  func onSuspend(_ body: @escaping () -> Void) { host.onSuspend { [weak self] in if self?.isOver == false { body() } } }

  /// Ends the command when the reader of standard output closes it, even while nothing is written.
  func endWhenOutputCloses() { host.onOutputClosed { [weak self] in self?.finish(.done) } }

  // MARK: - Receive

  private func receive(_ event: ServiceEvent) {
    guard status == nil, let receiver = receivers[event.request] else { return }
    if event.isLast { receivers[event.request] = nil }
    receiver(event)
  }

  // MARK: - Progress

  /// Shows the progress from now on; `note` is the text before the state.
  func showProgress(note: @escaping () -> String = { "" }) {
    let progress = ProgressDisplay(host: host, note: note)
    progress.start()
    self.progress = progress
  }

  /// Shows the strongest signal while a receiver searches for its first fix. The receiver is on then, so that watching its satellites
  /// costs nothing.
  private func watchSky(for progress: ProgressDisplay) {
    guard progress.isShown, receivers[Self.progressSky] == nil else { return }
    let request = ServiceRequest<SkyReport>.sky(waitsForSource: false)
    receivers[Self.progressSky] = { message in
      if case .reply(let report)? = request.event(message) { progress.show(report) }
    }
    send(request, as: Self.progressSky)
  }

  /// Shows a stage, if this command shows progress.
  ///
  /// - Parameters:
  ///   - namesHolder: print once which process uses the port that the service waits for.
  ///   - watchesSky: whether to show the strongest signal as well, for a command that does not watch the satellites itself.
  func show(_ stage: LocationProgress, namesHolder: Bool = false, watchesSky: Bool = false) {
    progress?.show(stage, namesHolder: namesHolder)
    if watchesSky, case .searching = stage { progress.map(watchSky(for:)) }
  }

  /// Erases the progress line until its next update.
  func clearProgress() { progress?.clear() }

  /// Erases the progress line for good, before a result.
  func endProgress() { progress?.end() }

  /// Shows whether an authorization prompt is pending. The request that was sent before causes the prompt.
  private func watchAuthorization(for progress: ProgressDisplay) {
    // A service hosted in this process has no authorization prompts.
    guard isServedByDaemon, receivers[Self.authorizationWatch] == nil else { return }
    let request = ServiceRequest.authorizationChanges
    receivers[Self.authorizationWatch] = { message in
      if case .reply(let state)? = request.event(message) { progress.show(state) }
    }
    send(request, as: Self.authorizationWatch)
  }

  // MARK: - Finish

  /// Ends the command with this exit status, unless it has ended already.
  func finish(_ status: CommandStatus) {
    guard self.status == nil else { return }
    endProgress()
    onLeavingScreen?()
    self.status = status
    host.stop()
    if let handler { self.status = handler.finish(status) }
  }

  /// Prints the message of a failure and ends the command, unless it has ended already.
  func fail(_ message: FailureMessage) {
    guard status == nil else { return }
    endProgress()
    onLeavingScreen?()
    finish(Diagnostics.report(message))
  }
}

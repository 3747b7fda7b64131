import Geodesy
import LinuxIO
import LocationIPC
import LocationdClient

/// A session of one command with the service: sends the requests of its handler, passes on the replies, and ends the
/// command after a reply, a signal, a closed output or a failure. A session runs only once.
final class CommandSession {
  /// The ID of the request of a command that sends only one.
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
  /// Called before the message of a failure is printed, and when the command ends: leaves the screen on which the
  /// command draws.
  var onLeavingScreen: (() -> Void)?
  /// Called instead of `finish` when a signal ends the command; it has to end the command itself, soon.
  var onInterruption: ((CommandStatus) -> Void)?

  init(_ host: any ServiceAccess) { self.host = host }

  /// Whether the daemon serves this session; otherwise a service hosted in this process does.
  var isServedByDaemon: Bool { host is RemoteHost }
  /// Path of the one receiver to which requests apply; `nil`: any receiver.
  var device: String? { host.device }
  /// The monotonic time of the event loop's current turn.
  var now: Instant { host.now }
  var loop: EventLoop { host.surroundings.loop }
  var isOver: Bool { status != nil }

  // MARK: - Start

  /// Runs `handler` until the session is over; returns the exit status.
  func run(_ handler: some CommandHandler) -> CommandStatus {
    self.handler = handler
    host.onEvent = { [unowned self] in receive($0) }
    host.onSignal = { [unowned self] in
      let status = CommandStatus(signal: $0)
      if let onInterruption { onInterruption(status) } else { finish(status) }
    }
    // Break the reference cycle: a handler retains its session.
    defer {
      host.onEvent = nil
      receivers = [:]
      onInterruption = nil
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

  /// Sends a request. `handler` receives the replies.
  ///
  /// - Parameter event: converts a message of the service; returns `nil` for a reply of another kind than the request
  ///   requires.
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

  /// Sends a request whose replies are ignored.
  func send<Reply>(_ request: ServiceRequest<Reply>, as id: RequestID) { host.send(request.message(id)) }

  /// Requests authorization, so that the request appears in the administrator's list. The replies to the requests that
  /// need the authorization report the result.
  func askForAuthorization(always: Bool) {
    // A service hosted in this process has no list of requests.
    guard isServedByDaemon else { return }
    send(.authorization(.ask(always: always)), as: Self.authorizationRequest)
  }

  /// Calls `body` after `delay`, unless the session has ended by then.
  func setTimer(after delay: Duration, _ body: @escaping () -> Void) {
    host.setTimer(after: delay) { [weak self] in if self?.isOver == false { body() } }
  }

  /// Calls `body` when the terminal may no longer show what was drawn on it: its size has changed (`true`), or this
  /// process continues after it was stopped (`false`).
  func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) {
    host.onTerminalChange { [weak self] in if self?.isOver == false { body($0) } }
  }

  /// Calls `body` before this process is suspended from the terminal (Ctrl-Z).
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

  /// Shows the progress from now on; `note` is printed before the stage.
  func showProgress(note: @escaping () -> String = { "" }) {
    let progress = ProgressDisplay(host: host, note: note)
    progress.start()
    self.progress = progress
  }

  /// Shows the strongest signal while a receiver searches for its first fix. Watching the satellites costs no extra
  /// power, because the receiver is already on.
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
  ///   - watchesSky: whether to show the strongest signal as well; for a command that does not watch the satellites
  ///     itself.
  func show(_ stage: LocationProgress, namesHolder: Bool = false, watchesSky: Bool = false) {
    progress?.show(stage, namesHolder: namesHolder)
    if watchesSky, case .searching = stage { progress.map(watchSky(for:)) }
  }

  /// Erases the progress line until its next update.
  func clearProgress() { progress?.clear() }

  /// Erases the progress line permanently, before a result.
  func endProgress() { progress?.end() }

  /// Shows whether an authorization prompt is pending. The prompt is caused by the request that was sent before.
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

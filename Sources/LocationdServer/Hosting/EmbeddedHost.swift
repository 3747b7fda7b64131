import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdClient
package import LocationdHost
package import LocationdService

/// The service hosted inside a process: the same messages as over the socket, handed over in memory.
///
/// Everything happens on the thread that calls `run`.
package final class EmbeddedHost: ServiceAccess {
  package var onEvent: ((ServiceEvent) -> Void)?
  /// Receives the service's events for clients on other threads; set before `run`.
  package var onClientEvent: ((ClientID, ServiceEvent) -> Void)?
  package var onSignal: ((Int32) -> Void)?
  /// Called with the number of settings that a receiver did not accept when they were restored; set before `run`.
  package var onLeftChanged: ((_ path: String, _ settings: Int) -> Void)?
  /// `nil`: a hosted service is selected by its source, not by a device.
  package var device: String? { nil }
  package let surroundings: ProgramLoop
  /// Whether the program is in use, and can be again, if the caller knows; `nil`: determined from the system. Set before `run`.
  package var presence: (now: ClientPresence, canReturn: Bool)?

  private let service: HostedService
  private let client = ClientID.process(0)
  /// `nil` until the first stream that may rest or pause.
  private var access: HostedAccess?
  private var isStopping = false

  private var loop: EventLoop { surroundings.loop }

  /// Hosts a service on `source`.
  ///
  /// - Parameters:
  ///   - realtime: a replay keeps its own pace; otherwise it runs as fast as it can be decoded.
  ///   - stateFolder: where state is stored; `nil`: taken from the environment.
  ///   - gpsd: its receivers are left to it; `nil`: gpsd is ignored.
  ///   - takesSignals: whether this host handles SIGINT, SIGTERM, SIGHUP and SIGPIPE, instead of the program around it.
  package init(
    source: SourceSelection, realtime: Bool = true, stateFolder: String? = nil, minding gpsd: GPSDAddress? = .local,
    takesSignals: Bool = true
  ) throws(HostError) {
    surroundings = try ProgramLoop(ownsProcess: takesSignals)
    service = try HostedService(
      loop: surroundings.loop, source: source, realtime: realtime, stateFolder: stateFolder, minding: gpsd,
      recordsLogs: false)
    service.onEvent = { [unowned self] client, event in
      if access?.takes(event, for: client) != true { tell(client, event) }
    }
    service.onDeviceNews = { [unowned self] in
      if case .leftChanged(let path, let settings) = $0 { onLeftChanged?(path, settings) }
    }
    service.onSettled = { [unowned self] in stopWhenReleased() }
    guard takesSignals else { return }
    try surroundings.onSignal { [unowned self] in
      // A second signal means that the user does not want to wait.
      if isStopping { loop.stop() } else { onSignal?($0) }
    }
  }

  /// Records the receivers' output from now on; call before `run`.
  package func record(to recording: CaptureRecording) { service.record(to: recording) }

  /// Receives the receivers' output from now on, and writes nothing to them; call before `run`.
  package func examine() -> ReceiverExaminer { service.examine() }

  /// Whether a gpsd is running whose receivers are left to it, even if it has none.
  package var isBesideGPSD: Bool { service.isBesideGPSD }

  package func send(_ request: ClientRequest) { send(request, from: client) }

  private func send(_ request: ClientRequest, from client: ClientID) {
    if access == nil, HostedAccess.concerns(request) {
      access = HostedAccess(loop: loop, service: service, presence) { [unowned self] in tell($0, $1) }
    }
    if access?.takes(request, from: client) != true { service.send(request, from: client) }
  }

  private func tell(_ client: ClientID, _ event: ServiceEvent) {
    if client == self.client { onEvent?(event) } else { onClientEvent?(client, event) }
  }

  private func leave(_ client: ClientID) {
    access?.leave(client)
    service.leave(client)
  }

  /// Handles messages that clients on other threads post to `mailbox`; their numbers must not be 0, this thread's own client.
  package func serve(_ mailbox: LoopMailbox<HostMessage>) throws(HostError) {
    do throws(SystemError) {
      try loop.receive(from: mailbox) { [unowned self] message in
        switch message {
        case .request(let client, let request): send(request, from: client)
        case .left(let client): leave(client)
        }
      }
    } catch {
      throw HostError(error)
    }
  }

  package func run() throws(HostError) {
    defer {
      service.leave(client)
      // The clients no longer receive events.
      service.onEvent = nil
      service.endLogs()
      service.save()
    }
    do throws(SystemError) {
      try service.begin()
      try loop.run()
    } catch {
      throw HostError(error)
    }
  }

  /// Ends `run` once the receivers are restored; at once if called a second time.
  package func stop() {
    guard !isStopping else { return loop.stop() }
    isStopping = true
    service.leave(client)
    stopWhenReleased()
  }

  private func stopWhenReleased() { if isStopping, !service.isReleasing { loop.stop() } }
}

/// Messages to a hosted service from clients on other threads.
package enum HostMessage: Sendable {
  case request(ClientID, ClientRequest)
  /// The client has disconnected; its requests are canceled.
  case left(ClientID)
}

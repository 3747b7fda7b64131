import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationReplay
package import LocationdClient
package import LocationdConfiguration
package import LocationdHost
package import LocationdRecords
package import LocationdService

/// The service hosted inside a process, with the same messages as over the socket, passed in memory.
///
/// Everything happens on the thread that calls `run`.
package final class EmbeddedHost: ServiceAccess {
  package var onEvent: ((ServiceEvent) -> Void)?
  package var onSignal: ((Int32) -> Void)?
  /// Called with the number of settings that were not restored when a receiver's port was closed; set before `run`.
  package var onLeftChanged: ((_ path: String, _ settings: Int) -> Void)?
  /// `nil`: a hosted service is selected by its source, not by a device.
  package var device: String? { nil }
  package let surroundings: ProgramLoop
  /// Whether the program is in use, and can be in use again, if the caller knows; `nil` to determine this from the
  /// system. Set before `run`.
  package var presence: (now: ClientPresence, canReturn: Bool)?

  private let configuration: HostedService.Configuration
  private lazy var service = HostedService(configuration, loop: loop, clients: self, host: self)
  private let client = ClientID.process(0)
  /// The clients on other threads; `nil` if there are none.
  private var others: (any ServiceClients)?
  /// `nil` until the first stream that may be suspended or pause, or whose updates are deferred.
  private var access: HostedAccess?
  /// The streams of fixes outside of `access`, which takes one over when its updates are deferred.
  private var streams: [ClientID: [RequestID: ClientRequest]] = [:]
  private var isStopping = false
  /// Whether `run` has ended, after which the clients receive no events.
  private var isOver = false

  private var loop: EventLoop { surroundings.loop }

  /// Hosts a service on `source`.
  ///
  /// - Parameters:
  ///   - realtime: whether a replay keeps the recording's pace; otherwise it runs as fast as the recording can be
  ///     decoded.
  ///   - stateFolder: where state is stored; `nil` to determine it from the environment.
  ///   - gpsd: the gpsd that keeps its receivers; `nil` to ignore gpsd.
  ///   - settings: all other settings.
  ///   - takesSignals: whether this host handles SIGINT, SIGTERM, SIGHUP and SIGPIPE, instead of the program around it.
  package init(
    source: SourceSelection, realtime: Bool = true, stateFolder: String? = nil, minding gpsd: GPSDAddress? = .local,
    settings: ServiceSettings = ServiceSettings(), takesSignals: Bool = true
  ) throws(HostError) {
    surroundings = try ProgramLoop(ownsProcess: takesSignals)
    configuration = try HostedService.Configuration(
      source: source, isRealtime: realtime, stateFolder: stateFolder, minding: gpsd, recordsLogs: false,
      settings: settings)
    try service.open()
    guard takesSignals else { return }
    try surroundings.onSignal { [unowned self] in
      // A second signal means that the user does not want to wait.
      if isStopping { loop.stop() } else { onSignal?($0) }
    }
  }

  /// Records the receivers' output from now on; call before `run`.
  package func record(to recording: CaptureRecording) { service.record(to: recording) }

  /// Passes the receivers' output to `body` from now on, as the records of a capture; call before `run`.
  package func follow(_ body: @escaping (CaptureRecord) -> Void) { service.follow(body) }

  /// Receives the receivers' output from now on, and writes nothing to them; call before `run`.
  package func examine() -> ReceiverExaminer { service.examine() }

  /// Whether a gpsd is running that keeps its receivers, even if it has none.
  package var isBesideGPSD: Bool { service.isBesideGPSD }

  package func send(_ request: ClientRequest) { send(request, from: client) }

  private func send(_ request: ClientRequest, from client: ClientID) {
    if access == nil, HostedAccess.concerns(request) {
      access = HostedAccess(loop: loop, service: service, presence, host: self)
    }
    if case .deferUpdates(_, let stream, _) = request,
      let adopted = streams[client]?.removeValue(forKey: stream)
    {
      access?.adopt(adopted, of: client)
    }
    guard access?.receives(request, from: client) != true else { return }
    switch request {
    case .startUpdates(let id, _): streams[client, default: [:]][id] = request
    case .cancel(let id): streams[client]?[id] = nil
    default: break
    }
    service.send(request, from: client)
  }

  /// Passes an event to its client.
  func deliver(_ event: ServiceEvent, to client: ClientID) {
    guard !isOver else { return }
    if client == self.client { onEvent?(event) } else { others?.send(event, to: client) }
  }

  private func leave(_ client: ClientID) {
    access?.leave(client)
    streams[client] = nil
    service.leave(client)
  }

  /// Handles messages that clients on other threads post to `mailbox`. Their numbers must not be 0, which is the number
  /// of this thread's own client.
  ///
  /// - Parameter clients: receive the service's events for these clients.
  package func serve(_ mailbox: LoopMailbox<HostMessage>, for clients: any ServiceClients) throws(HostError) {
    others = clients
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
      isOver = true
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

  /// Ends `run` once the receivers' settings are restored; a second call ends it at once.
  package func stop() {
    guard !isStopping else { return loop.stop() }
    isStopping = true
    access?.release()
    service.leave(client)
    stopWhenReleased()
  }

  private func stopWhenReleased() { if isStopping, !service.isReleasing { loop.stop() } }
}

extension EmbeddedHost: ServiceClients {
  package func send(_ event: ServiceEvent, to client: ClientID) {
    guard access?.receives(event, for: client) != true else { return }
    if case .failed(let id, _) = event { streams[client]?[id] = nil }
    access?.release()
    deliver(event, to: client)
  }
}

extension EmbeddedHost: HostedServiceHost {
  package func turnEnded() { stopWhenReleased() }
  package func describe(_ status: inout ServiceStatus) {}
  package var gate: (any ServiceGate)? { access }
  /// A process that records and monitors for itself needs no authorization.
  package var authority: (any RecordsAuthority)? { nil }
  package var launches: MonitoringLaunches? { nil }

  package func receive(_ event: HostedServiceEvent) {
    if case .device(.leftChanged(let path, let settings)) = event { onLeftChanged?(path, settings) }
  }
}

/// Messages to a hosted service from clients on other threads.
package enum HostMessage: Sendable {
  case request(ClientID, ClientRequest)
  /// The client has disconnected; its requests are canceled.
  case left(ClientID)
}

import FleetDestinations
package import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationReplay
import LocationStore
package import LocationdClient
package import LocationdConfiguration
package import LocationdHost
package import LocationdRecords
package import LocationdService
import Positioning
package import TimeService

/// The service on an event loop: its sources, its stored state, and clients that are identified by number. The host
/// provides the loop, and passes requests and events between the service and its clients, in the same process or in
/// others.
package final class HostedService {
  /// The configuration of a service.
  package struct Configuration {
    package let source: SourceSelection
    /// Whether a replay keeps the recording's pace; otherwise it runs as fast as the recording can be decoded.
    package var isRealtime: Bool
    /// Where state is stored; `nil` if nothing is stored.
    package let stateFolder: String?
    /// The gpsd that keeps its receivers (LOCATIOND_GPSD); `nil` if gpsd is ignored.
    package var gpsd: GPSDAddress?
    /// Whether this process records logs; otherwise it only reads what another process has recorded.
    package var recordsLogs: Bool
    package let settings: ServiceSettings
    fileprivate let recording: RecordedEvents?

    /// - Parameter stateFolder: `nil` to determine it from the environment.
    package init(
      source: SourceSelection, isRealtime: Bool, stateFolder: String?, minding gpsd: GPSDAddress?, recordsLogs: Bool,
      settings: ServiceSettings = ServiceSettings()
    ) throws(HostError) {
      self.settings = settings
      (self.source, self.isRealtime, self.gpsd, self.recordsLogs) = (source, isRealtime, gpsd, recordsLogs)
      self.stateFolder =
        stateFolder
        ?? Directories.state(environment: ProcessEnvironment.value, isRoot: ProcessEnvironment.isRoot)
      recording = if case .replay(let path) = source { try RecordedEvents(path: path) } else { nil }
    }
  }

  let loop: EventLoop
  let configuration: Configuration
  unowned let clients: any ServiceClients
  unowned let host: any HostedServiceHost
  private let storage: ServiceStorage
  let parts = HostedSource()
  private let startedAt: Instant
  private let virtualTime: ReplayPortDriver.VirtualTime
  /// The start time that a replayed recording states.
  let recordedStart: GNSSTime?
  private(set) lazy var runner = ServiceRunner(
    settings, loop: loop, clock: clock, isVirtual: isVirtual, ports: parts, clients: clients, host: host,
    observer: self, storage: storage)
  private(set) lazy var listeners = CaptureBroadcaster(for: clients)
  var logs: RecordsThread<LogService>?
  var fleet: RecordsThread<FleetService>?
  var fleetLinks: FleetLinks?
  var networkChanges: NetworkChanges?
  /// Asks the configured server of places, for the clients of a daemon.
  private lazy var places = PlaceProviderSource(
    loop: loop, link: FetchLink(loop: loop), settings: configuration.settings.places
  ) { [unowned self] in runner.answer($0, $1) }
  /// The last description of the destinations.
  var fleetAccount: [FleetReport] = []
  /// Whether there are destinations, as far as the monitoring was told.
  var hasDestinations: Bool?
  package private(set) var monitoring: RecordsThread<MonitoringService>?
  /// The current position request of the monitoring thread; `nil` if there is none.
  var positionCheck: RequestID?
  private var power = MainsPower()
  /// Which consumers receive every position, whichever client requested it.
  private var listening = (monitoring: false, gate: false)
  /// The last description of the logs, and the status requests that wait for a new one.
  var logAccount: [LogDescription] = []
  var waitingForLogs: [(client: ClientID, request: ClientRequest)] = []
  var accountTimer: TimerID?

  /// Creates a service without sources; `open` adds them.
  ///
  /// - Parameter clients: receive the service's events.
  package init(
    _ configuration: Configuration, loop: EventLoop, clients: any ServiceClients, host: any HostedServiceHost
  ) {
    (self.configuration, self.loop, self.clients, self.host) = (configuration, loop, clients, host)
    startedAt = loop.now
    storage = ServiceStorage(
      loop: loop, folder: configuration.source.isRemembered ? configuration.stateFolder : nil)
    virtualTime = ReplayPortDriver.VirtualTime(now: loop.now)
    recordedStart = configuration.recording?.startTime()
  }

  /// Opens the source and the records; requests are accepted from then on.
  package func open() throws(HostError) {
    do throws(SystemError) {
      if let recording = configuration.recording {
        parts.open(
          ReplayPortDriver(
            loop: loop, runner: runner, events: recording, isRealtime: configuration.isRealtime,
            virtualTime: virtualTime, consumer: self))
      } else {
        try parts.open(
          configuration.source, loop: loop, runner: runner, stateFolder: stateFolder, minding: configuration.gpsd,
          configuration.settings)
        if configuration.recordsLogs {
          openTime()
          // A service within another program would be a second client with the account of the caster.
          parts.usesCorrections = true
        }
      }
      guard let stateFolder else { return }
      let logSettings = LogService.Settings(
        stateFolder: stateFolder, records: configuration.recordsLogs, isVirtual: isVirtual)
      logs = try RecordsThread(logSettings, loop: loop, now: clock) { [weak self] in self?.receive($0) }
      try openFleet(stateFolder)
      let monitoringSettings = MonitoringService.Settings(
        folder: "\(stateFolder)/monitoring", outlives: configuration.recordsLogs,
        mostRegions: configuration.settings.mostRegions, isVirtual: isVirtual, hasDestinations: maySend)
      monitoring = try RecordsThread(monitoringSettings, loop: loop, now: clock) { [weak self] in self?.receive($0) }
    } catch {
      throw HostError(error)
    }
  }

  /// Where state is stored; `nil` if nothing is stored.
  package var stateFolder: String? { configuration.stateFolder }

  /// Whether a recording is played in its own time, as fast as it can be decoded.
  var isVirtual: Bool { configuration.recording != nil && !configuration.isRealtime }

  private var clock: () -> Instant {
    isVirtual ? { [virtualTime] in virtualTime.now } : { [loop] in loop.now }
  }

  private var settings: ServiceCore.Settings {
    if configuration.recording != nil {
      return ServiceCore.Settings(
        eraFloor: recordedStart?.date, wallClock: recordedStart ?? WallClock.now(), startedAt: loop.now,
        memory: ServiceMemory())
    }
    var settings = ServiceCore.Settings(
      remembering: storage.loadMemory() ?? ServiceMemory(), clock: WallClock.now(), built: BuildDate.date,
      startedAt: loop.now)
    settings.wallClockError = WallClock.error
    settings.bootID = ProcessEnvironment.bootID
    settings.source = configuration.source.origin
    // A daemon that passes on what a receiver sends has waited itself.
    settings.expectsReceivers =
      switch configuration.source {
      case .wifi, .daemon: false
      default: true
      }
    settings.preferences = configuration.settings.receivers
    // A daemon's clients have not named a source; therefore they may get the latest known position.
    if !configuration.recordsLogs { settings.namedSource = configuration.source.named }
    return settings
  }

  /// Whether a gpsd is running that keeps its receivers, even if it has none.
  var isBesideGPSD: Bool { parts.neighbour?.isPresent ?? false }

  // MARK: - Positions that others have asked for

  func listenForMonitoring(_ isWanted: Bool) { listen((isWanted, listening.gate)) }

  func listenForGate(_ isWanted: Bool) { listen((listening.monitoring, isWanted)) }

  private func listen(_ wanted: (monitoring: Bool, gate: Bool)) {
    let isReceived = listening.monitoring || listening.gate
    guard wanted != listening else { return }
    listening = wanted
    if isReceived != (wanted.monitoring || wanted.gate) { runner.handle(.setMonitoringFeed(!isReceived)) }
  }

  /// The service's current time; in virtual time it follows the recording.
  var present: Instant { runner.present }

  // MARK: - Clients

  /// - Parameter requester: the client as an owner of logs and monitoring lists; `nil` for this process itself.
  package func send(
    _ request: ClientRequest, from client: ClientID, of requester: LogOwner? = nil,
    _ allowance: MonitoringAllowance = .granted
  ) {
    switch request {
    case .log(let id, let request): ask(request, id, from: client, of: requester)
    case .wifi(let id, let request): ask(request, id, from: client)
    case .monitoring(let id, let request): ask(request, id, from: client, of: requester?.identity, allowance)
    case .time(let id, let request): ask(request, id, from: client)
    case .fleet(let id, let request): ask(request, id, from: client)
    case .places(let id, let request):
      guard configuration.recordsLogs else { return runner.answer(client, .failed(id, .places(.noProvider))) }
      places.ask(request, id, from: client)
    case .cancel(let id) where places.cancel(client, id): break
    case .listenIn(let id): admit(client, id)
    case .cancel(let id) where parts.wifi?.cancel(client, id) == true: break
    case .cancel(let id) where monitoring?.isContinuing(id, of: client) == true:
      monitoring?.cancel(id, of: client)
    case .cancel(let id) where !listeners.isEmpty:
      listeners.cancel(client, id)
      removeTap()
      runner.handle(.request(client, request))
    case .status where logs?.hasRecords == true:
      waitingForLogs.append((client, request))
      if waitingForLogs.count == 1 { askLogs() }
    default: runner.handle(.request(client, request))
    }
  }

  /// Only a daemon gives time: it is there for as long as the machine's clocks.
  private func openTime() {
    let feed = TimeFeed(loop: loop, runner: runner, stateFolder: stateFolder)
    feed.onEvent = { [unowned self] in host.receive(.time($0)) }
    parts.open(feed)
  }

  /// `body` receives each moment by a receiver's time while the settings want any of its time, with the path of the receiver.
  package func followTime(_ body: @escaping (TimeSample, _ path: String) -> Void) { parts.time?.onSample = body }

  private func ask(_ request: TimeRequest, _ id: RequestID, from client: ClientID) {
    let isCarriedOut = parts.time?.calibrate(request == .calibrate) ?? false
    runner.answer(client, isCarriedOut ? .done(id) : .failed(id, .noSource))
  }

  private var wifiReport: WiFiReport? {
    if let wifi = parts.wifi { return wifi.report }
    return parts.isWiFiOff ? .off : nil
  }

  private func ask(_ request: WiFiRequest, _ id: RequestID, from client: ClientID) {
    if let wifi = parts.wifi { return wifi.ask(request, id, from: client) }
    runner.answer(client, .failed(id, .radio(parts.isWiFiOff ? .switchedOff : .notInSource)))
  }

  /// Runs `body`; the requests that it sends are handled together at its end.
  func batch(_ body: () -> Void) { runner.batch(body) }

  /// Sets whether a client is in the background, where its user does not see its output.
  package func note(_ client: ClientID, isInBackground: Bool) {
    runner.handle(.presence(client, isInBackground: isInBackground))
  }

  /// Handles a client's disconnection, and cancels its requests.
  package func leave(_ client: ClientID) {
    logs?.leave(client)
    monitoring?.leave(client)
    fleet?.leave(client)
    places.leave(client)
    listeners.leave(client)
    parts.wifi?.cancel(client)
    removeTap()
    waitingForLogs.removeAll { $0.client == client }
    runner.handle(.clientGone(client))
    // The sources are closed. Their last data is saved now, but not after each of many short uses, such as those of a
    // script that requests a fix once a second.
    if !runner.isBusy { runner.saveAfterUse() }
  }

  /// The numbers of a client's requests in progress.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) { runner.wants(of: client) }

  // MARK: - Life

  /// Reports the available sources to the service, which uses them on demand from then on.
  package func begin() throws(SystemError) {
    try parts.begin(feeding: runner, on: loop)
    try logs?.resume()
    try monitoring?.resume()
    if configuration.settings.hasFleet { try fleet?.resume() }
  }

  /// Ends the logs and the monitoring, and writes them to disk, so that the receivers can be released.
  package func endLogs() {
    logs?.end()
    monitoring?.end()
    fleet?.end()
  }

  /// The same if the loop no longer runs: waits for the disk.
  package func finishLogs() {
    logs?.finish()
    fleet?.finish()
    monitoring?.finish()
  }

  /// Whether the logs or the monitoring have not ended yet.
  package var isEndingLogs: Bool {
    logs?.isRunning ?? false || monitoring?.isRunning ?? false || fleet?.isRunning ?? false
  }

  /// Applies changes that the owner has made in the state folder, and settings that can change at run time.
  package func reload(_ settings: ServiceSettings) {
    parts.devices?.reload()
    places.apply(settings.places)
    if configuration.recording == nil { parts.apply(settings, loop: loop, runner: runner) }
  }

  /// Whether a receiver's settings are being restored before its port is closed.
  package var isReleasing: Bool { runner.isReleasing }

  /// Saves the state if it has changed.
  package func save() { runner.save() }
}

extension HostedService: ServiceObserver {
  package func receive(_ fix: MonitoringFix) {
    if listening.gate { host.gate?.receive(fix.fix) }
    guard listening.monitoring else { return }
    monitoring?.receive(fix)
    // Checked when a position arrives, so that the check causes no wakeup of its own.
    if power.wasPluggedIn(at: loop.now) { monitoring?.send(.hint) }
  }

  package func receive(_ event: DeviceEvent) { host.receive(.device(event)) }

  package func describe(_ status: inout ServiceStatus) {
    status.source = configuration.source.text
    status.runningFor = loop.now - startedAt
    status.logs = logAccount
    status.fleet = fleetAccount
    status.wifi = wifiReport
    status.corrections = parts.corrections?.status
    status.time = parts.time?.report
  }
}

extension HostedService: ReplayConsumer {
  package var isBehind: Bool {
    logs?.isBehind ?? false || monitoring.map { $0.isBehind || $0.isUnsettled } ?? false
  }

  package var gateDeadline: Instant? { host.gate?.nextPauseDeadline }
  package func wakeGate() { host.gate?.wake() }
}

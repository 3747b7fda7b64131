import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationStore
package import LocationdClient
package import LocationdHost
package import LocationdRecords
package import LocationdService
import Positioning
import Replay

/// The service on an event loop: its sources, its stored state, and clients that are identified by number. The host supplies the
/// loop, and carries requests and events between the service and its clients, in the same process or in others.
package final class HostedService {
  /// Sends the service's events to a client that has no path of its own.
  package var onEvent: ((ClientID, ServiceEvent) -> Void)?
  /// Called after each turn of the service, when all its events are sent.
  package var onSettled: (() -> Void)?
  /// Adds the host's part to the service's status.
  package var describe: ((inout ServiceStatus) -> Void)?
  /// Receives events of devices and their ports.
  package var onDeviceNews: ((DeviceNews) -> Void)? {
    get { runner.onDeviceNews }
    set { runner.onDeviceNews = newValue }
  }

  /// Set if a gate decides authorization: receives the logs' requests; the gate answers by `send`, `hear(_:for:)` and `leave`.
  var onRecording: ((RecordingNews) -> Void)?
  /// Receives events of the logs.
  package var onLogNews: ((LogNews) -> Void)?

  /// Set if a gate decides what may be monitored: the gate answers by `allow`. If `nil`, everything may be monitored.
  var onMonitoring: ((MonitoringWish) -> Void)?
  /// Receive what to start for an event, that a user has stored a command, and that an event was counted.
  var onLaunch: ((MonitoringLaunching) -> Void)?
  var onCommandNoted: ((UInt32) -> Void)?
  var onCounted: ((UInt64, MonitoringDelivery, Int??) -> Void)?
  /// Receives monitoring events for the journal.
  package var onMonitoringNews: ((MonitoringNews) -> Void)?

  /// Called when a request is refused because a limit is reached.
  var onBoundReached: ((ServiceBound) -> Void)?

  let loop: EventLoop
  let runner: ServiceRunner
  private let memory: MemoryFile?
  private let assistance: AssistanceStore?
  private let inheritances: InheritanceStore?
  let parts: HostedSource
  /// Where state is stored; `nil`: nowhere.
  let stateFolder: String?
  private let source: SourceSelection
  private let startedAt: Instant
  private var wakeTimer: TimerID?
  private var wakeAt: Instant?
  let isVirtual: Bool
  /// The start time that a replayed recording states.
  let recordedStart: GNSSTime?
  let listeners = ListeningPost()
  var logs: RecordsThread<LogService>?
  var monitoring: RecordsThread<MonitoringService>?
  /// The monitoring thread's current position request; `nil`: none.
  var looking: RequestID?
  private var power = MainsPower()
  /// Which consumers receive every position, whichever client requested it.
  private var listening = (monitoring: false, gate: false)
  /// Whether monitoring requests positions.
  var isLooking = false
  /// The last description of the logs, and the status requests that wait for a new one.
  var logAccount: [LogDescription] = []
  var waitingForLogs: [(client: ClientID, request: ClientRequest)] = []
  var accountTimer: TimerID?

  /// Creates a service on `source`; see `EmbeddedHost` for the parameters.
  package init(
    loop: EventLoop, source: SourceSelection, realtime: Bool, stateFolder: String?, minding gpsd: GPSDAddress?,
    recordsLogs: Bool
  ) throws(HostError) {
    self.loop = loop
    self.source = source
    startedAt = loop.now
    let stateFolder =
      stateFolder
      ?? Directories.state(environment: ProcessEnvironment.value, isRoot: ProcessEnvironment.isRoot)
    self.stateFolder = stateFolder
    let memoryFolder = source.isRemembered ? stateFolder : nil
    memory = memoryFolder.map(MemoryFile.init(folder:))
    assistance = memoryFolder.map(AssistanceStore.init(folder:))
    inheritances = memoryFolder.map(InheritanceStore.init(folder:))
    switch source {
    case .replay(let path):
      isVirtual = !realtime
      let events = try RecordedEvents(path: path)
      let time = ReplayPorts.VirtualTime(now: loop.now)
      let start = events.startTime()
      recordedStart = start
      let settings = ServiceCore.Settings(
        eraFloor: start?.date, wallClock: start ?? WallClock.now(), startedAt: loop.now, memory: ServiceMemory())
      runner = ServiceRunner(settings, clock: { realtime ? loop.now : time.now })
      parts = HostedSource(
        replaying: ReplayPorts(
          loop: loop, runner: runner, events: events, isRealtime: realtime, virtualTime: time))
    case .automatic, .serial, .gpsd, .wifi, .simulator, .daemon:
      isVirtual = false
      recordedStart = nil
      let remembered = memory?.load(present: WallClock.believable) ?? ServiceMemory()
      var settings = Self.settings(remembered, at: loop.now)
      settings.source = source.origin
      // A daemon's clients have not named a source, so they may get the latest known position.
      if !recordsLogs { settings.namedSource = source.named }
      runner = ServiceRunner(settings, clock: { loop.now })
      do throws(SystemError) {
        parts = try HostedSource(source, loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd)
      } catch {
        throw HostError(error)
      }
    }
    connect()
    guard let stateFolder else { return }
    (parts.ports as? ReplayPorts)?.isHeldBack = { [weak self] in
      guard let self else { return false }
      return logs?.isBehind ?? false || monitoring.map { $0.isBehind || $0.isUnsettled } ?? false
    }
    do throws(SystemError) {
      let logSettings = LogService.Settings(stateFolder: stateFolder, records: recordsLogs, isVirtual: isVirtual)
      logs = try RecordsThread(logSettings, loop: loop, now: { [runner] in runner.present }) { [weak self] in
        self?.receive($0)
      }
      let monitoringSettings = MonitoringService.Settings(
        folder: "\(stateFolder)/monitoring", outlives: recordsLogs, mostRegions: ServiceVariables.mostRegions,
        isVirtual: isVirtual)
      monitoring = try RecordsThread(monitoringSettings, loop: loop, now: { [runner] in runner.present }) {
        [weak self] in self?.receive($0)
      }
    } catch {
      throw HostError(error)
    }
  }

  private static func settings(_ memory: ServiceMemory, at now: Instant) -> ServiceCore.Settings {
    var settings = ServiceCore.Settings(
      remembering: memory, clock: WallClock.now(), built: BuildDate.date, startedAt: now)
    settings.wallClockError = WallClock.error
    settings.bootID = ProcessEnvironment.bootID
    return settings
  }

  /// Whether a gpsd is running whose receivers are left to it, even if it has none.
  var isBesideGPSD: Bool { parts.neighbour?.isPresent ?? false }

  private func connect() {
    runner.ports = parts.ports
    parts.wifi?.onAnswer = { [unowned self] client, event in
      onEvent?(client, event)
      onSettled?()
    }
    runner.onEvent = { [unowned self] client, event in
      tell(client, event)
    }
    runner.describe = { [unowned self] status in
      status.source = source.text
      status.runningFor = loop.now - startedAt
      status.logs = logAccount
      status.wifi = wifiReport
      describe?(&status)
    }
    runner.onNotice = { [unowned self] in
      if listening.gate { onPosition?($0.fix) }
      guard listening.monitoring else { return }
      monitoring?.receive($0)
      // Checked together with a position, so that it needs no wakeup of its own.
      if power.wasPluggedIn(at: loop.now) { monitoring?.send(.hint) }
    }
    runner.changeTrust = { [unowned self] id, isTrusted in
      guard let devices = parts.devices else { return .unknownDevice(selector: id, known: []) }
      return devices.changeTrust(of: id, to: isTrusted)
    }
    runner.recall = { [assistance] in assistance?.load($0) }
    runner.keep = { [assistance] in assistance?.save($0) }
    runner.recallSettings = { [inheritances] in inheritances?.load($0) }
    runner.keepSettings = { [inheritances] in inheritances?.save($1, of: $0) }
    runner.onNews = { [unowned self] in
      if loop.now - (savedAt ?? startedAt) >= Self.savingInterval { save() }
    }
    // Saved before the port is released, so that the next program that opens the port finds the fix.
    runner.onClosing = { [unowned self] in saveUnlessRecent() }
    runner.recallMemory = { [memory] in memory?.load(present: WallClock.believable) }
    runner.onSettled = { [unowned self] in onSettled?() }
    // In virtual time the replay itself handles the core's deadlines.
    if !isVirtual { runner.onDeadlineChanged = { [unowned self] in armWake($0) } }
  }

  /// Moves the timer only if its deadline is earlier, or much later. This saves a system call for every few bytes, and nearly
  /// every wakeup for a deadline that no longer exists.
  private func armWake(_ deadline: Instant?) {
    guard let deadline else { return disarmWake() }
    if let wakeAt, let wakeTimer {
      guard deadline < wakeAt || wakeAt - loop.now < (deadline - wakeAt) * 2 else { return }
      loop.reschedule(wakeTimer, at: deadline)
    } else {
      wakeTimer = loop.schedule(at: deadline) { [unowned self] in
        wakeAt = nil
        wakeTimer = nil
        runner.feed(.wake)
      }
    }
    wakeAt = deadline
  }

  /// Cancels the timer, so that an idle service has no wakeups.
  private func disarmWake() {
    guard let wakeTimer, !runner.isBusy else { return }
    loop.cancel(wakeTimer)
    self.wakeTimer = nil
    wakeAt = nil
  }

  // MARK: - Positions that others have asked for

  /// Receives every position while a gate in front of this service needs them; see `listenForGate`.
  var onPosition: ((PositionFix) -> Void)?

  func listenForMonitoring(_ isWanted: Bool) { listen((isWanted, listening.gate)) }

  func listenForGate(_ isWanted: Bool) { listen((listening.monitoring, isWanted)) }

  private func listen(_ wanted: (monitoring: Bool, gate: Bool)) {
    let isHeard = listening.monitoring || listening.gate
    guard wanted != listening else { return }
    listening = wanted
    if isHeard != (wanted.monitoring || wanted.gate) { runner.feed(.notices(!isHeard)) }
  }

  /// The service's current time; in virtual time it follows the recording.
  var present: Instant { runner.present }

  /// In virtual time a gate in front of this service has no timer: the replay wakes it.
  func setGate(deadline: @escaping () -> Instant?, wake: @escaping () -> Void) {
    guard isVirtual, let ports = parts.ports as? ReplayPorts else { return }
    (ports.gateDeadline, ports.wakeGate) = (deadline, wake)
  }

  // MARK: - Clients

  /// - Parameter asker: the client's owner; `nil`: this process itself.
  package func send(
    _ request: ClientRequest, from client: ClientID, of asker: LogOwner? = nil,
    _ allowance: MonitoringAllowance = .granted
  ) {
    switch request {
    case .log(let id, let request): ask(request, id, from: client, of: asker)
    case .wifi(let id, let request): ask(request, id, from: client)
    case .monitoring(let id, let request): ask(request, id, from: client, of: asker?.identity, allowance)
    case .listenIn(let id): admit(client, id)
    case .cancel(let id) where parts.wifi?.cancel(client, id) == true: break
    case .cancel(let id) where monitoring?.isContinuing(id, of: client) == true:
      monitoring?.cancel(id, of: client)
    case .cancel(let id) where !listeners.isEmpty:
      listeners.cancel(client, id)
      removeTap()
      runner.feed(.request(client, request))
    case .status where logs?.hasRecords == true:
      waitingForLogs.append((client, request))
      if waitingForLogs.count == 1 { askLogs() }
    default: runner.feed(.request(client, request))
    }
  }

  private var wifiReport: WiFiReport? {
    if let wifi = parts.wifi { return wifi.report }
    return ServiceVariables.wifi == "off" ? .off : nil
  }

  private func ask(_ request: WiFiRequest, _ id: RequestID, from client: ClientID) {
    if let wifi = parts.wifi { return wifi.ask(request, id, from: client) }
    onEvent?(client, .failed(id, .radio(ServiceVariables.wifi == "off" ? .switchedOff : .notInSource)))
    onSettled?()
  }

  /// Runs `body`, and handles the requests that it sends together at its end.
  func batch(_ body: () -> Void) { runner.batch(body) }

  /// Sets whether a client is in the background, where its user does not see its output.
  package func note(_ client: ClientID, isInBackground: Bool) {
    runner.feed(.presence(client, isInBackground: isInBackground))
  }

  /// Handles a client's disconnection, and cancels its requests.
  package func leave(_ client: ClientID) {
    logs?.leave(client)
    monitoring?.leave(client)
    listeners.leave(client)
    parts.wifi?.cancel(client)
    removeTap()
    waitingForLogs.removeAll { $0.client == client }
    runner.feed(.clientGone(client))
    // The sources are closed: save their last data.
    if !runner.isBusy { saveUnlessRecent() }
  }

  /// The numbers of a client's requests in progress.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) { runner.wants(of: client) }

  // MARK: - Life

  /// Reports the available sources to the service; from then on it uses them on demand.
  package func begin() throws(SystemError) {
    try parts.begin()
    try logs?.resume()
    try monitoring?.resume()
  }

  /// Writes the logs to disk and stops recording, so that the receivers can be released.
  package func endLogs() {
    logs?.end()
    monitoring?.end()
  }

  /// The same if the loop no longer runs: waits for the disk.
  package func finishLogs() {
    logs?.finish()
    monitoring?.finish()
  }

  /// Whether the logs are still being written to disk.
  package var isEndingLogs: Bool { logs?.isRunning ?? false || monitoring?.isRunning ?? false }

  /// Applies changes that the owner has made in the state folder.
  package func reload() { parts.devices?.reload() }

  /// Whether a receiver is being restored, before its port is closed.
  package var isReleasing: Bool { runner.isReleasing }

  /// State is saved at the end, and in between: often enough that a power failure loses little, rarely enough to spare the card.
  private static let savingInterval: Duration = .seconds(600)
  private static let idleSavingInterval: Duration = .seconds(60)
  private var savedAt: Instant?

  /// Saves changed state, but not for each of many short uses such as a script that polls once a second.
  private func saveUnlessRecent() {
    if savedAt.map({ loop.now - $0 >= Self.idleSavingInterval }) ?? true { save() }
  }

  /// Saves the state if it has changed.
  package func save() {
    guard runner.hasNews else { return }
    savedAt = loop.now
    memory?.save(runner.takeMemory(), present: WallClock.believable)
  }
}

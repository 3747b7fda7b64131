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

/// The service on an event loop: its sources, its memory, and clients that are known by their numbers. What hosts it gives it
/// the loop, and carries requests and events between it and its clients, inside the process or outside.
package final class HostedService {
  /// Carries what the service tells to a client that has no way of its own.
  package var onEvent: ((ClientID, ServiceEvent) -> Void)?
  /// Called after each turn of the service, when all is told that there was to tell.
  package var onSettled: (() -> Void)?
  /// Adds to the service's account of itself.
  package var describe: ((inout ServiceStatus) -> Void)?
  /// Hears what happens to devices and their ports.
  package var onDeviceNews: ((DeviceNews) -> Void)? {
    get { runner.onDeviceNews }
    set { runner.onDeviceNews = newValue }
  }

  /// Where somebody else says who may know: hears what the logs want, and answers by `send`, `hear(_:for:)` and `leave`.
  var onRecording: ((RecordingNews) -> Void)?
  /// Hears what happens to the logs.
  package var onLogNews: ((LogNews) -> Void)?

  /// Where somebody else says what may be monitored: answers by `allow`. Else everything may.
  var onMonitoring: ((MonitoringWish) -> Void)?
  /// Hears what is to be started for an event, that a user has noted a command, and that an event was counted.
  var onLaunch: ((MonitoringLaunching) -> Void)?
  var onCommandNoted: ((UInt32) -> Void)?
  var onCounted: ((UInt64, MonitoringDelivery, Int??) -> Void)?
  /// Hears what is worth a line of what is monitored.
  package var onMonitoringNews: ((MonitoringNews) -> Void)?

  /// Hears that something was refused as there is as much of it as may be.
  var onBoundReached: ((ServiceBound) -> Void)?

  let loop: EventLoop
  let runner: ServiceRunner
  private let memory: MemoryFile?
  private let assistance: AssistanceStore?
  private let inheritances: InheritanceStore?
  let parts: HostedSource
  /// Where it remembers; `nil`: nowhere.
  let stateFolder: String?
  private let source: SourceSelection
  private let startedAt: Instant
  private var wakeTimer: TimerID?
  private var wakeAt: Instant?
  let isVirtual: Bool
  /// What the recording that is played says of its beginning.
  let recordedStart: GNSSTime?
  let listeners = ListeningPost()
  var logs: LogThread?
  var monitoring: MonitoringThread?
  /// The request by which positions are asked for, for what is monitored; `nil`: none is.
  var looking: RequestID?
  private var power = MainsPower()
  /// Who is told of every position, whoever asked for it.
  private var listening = (monitoring: false, gate: false)
  /// Whether positions are asked for for what is monitored.
  var isLooking = false
  /// What the logs said of themselves last, and who waits for the service's account while they say it anew.
  var logAccount: [LogDescription] = []
  var waitingForLogs: [(client: ClientID, request: ClientRequest)] = []
  var accountTimer: TimerID?

  /// Puts a service on `source` together; see `EmbeddedHost` for the parameters.
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
      // Whoever asks a daemon has named no source: it answers with the latest that it knows.
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
      logs = try LogThread(
        loop: loop, now: { [runner] in runner.present }, stateFolder: stateFolder, records: recordsLogs,
        isVirtual: isVirtual
      ) { [weak self] in self?.hear($0) }
      monitoring = try MonitoringThread(
        loop: loop, now: { [runner] in runner.present }, folder: "\(stateFolder)/monitoring", outlives: recordsLogs,
        mostRegions: ServiceVariables.mostRegions, isVirtual: isVirtual
      ) { [weak self] in self?.hear($0) }
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

  /// Whether a gpsd is there whose receivers are left to it, though it may have none.
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
      monitoring?.tell(.fix($0))
      // Looked at with a position, so that nothing wakes for it.
      if power.wasPluggedIn(at: loop.now) { monitoring?.tell(.hint) }
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
    // Whoever waits for the port finds the fix.
    runner.onClosing = { [unowned self] in saveUnlessRecent() }
    runner.recallMemory = { [memory] in memory?.load(present: WallClock.believable) }
    runner.onSettled = { [unowned self] in onSettled?() }
    // In virtual time the replay itself looks after the core's deadlines.
    if !isVirtual { runner.onDeadlineChanged = { [unowned self] in armWake($0) } }
  }

  /// Moves the timer when its deadline has come nearer, or much farther away: a system call for every few bytes is saved
  /// so, and so is nearly every wakeup for a deadline that is none any more.
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

  /// Nobody waits for anything: not one wakeup more.
  private func disarmWake() {
    guard let wakeTimer, !runner.isBusy else { return }
    loop.cancel(wakeTimer)
    self.wakeTimer = nil
    wakeAt = nil
  }

  // MARK: - Positions that others have asked for

  /// Hears them while a gate before this service wants that; see `listenForGate`.
  var onPosition: ((PositionFix) -> Void)?

  func listenForMonitoring(_ isWanted: Bool) { listen((isWanted, listening.gate)) }

  func listenForGate(_ isWanted: Bool) { listen((listening.monitoring, isWanted)) }

  private func listen(_ wanted: (monitoring: Bool, gate: Bool)) {
    let isHeard = listening.monitoring || listening.gate
    guard wanted != listening else { return }
    listening = wanted
    if isHeard != (wanted.monitoring || wanted.gate) { runner.feed(.notices(!isHeard)) }
  }

  /// The service's present: virtual time goes as a recording is played.
  var present: Instant { runner.present }

  /// In virtual time no timer of a gate before this service goes: it is woken as the recording is played.
  func setGate(deadline: @escaping () -> Instant?, wake: @escaping () -> Void) {
    guard isVirtual, let ports = parts.ports as? ReplayPorts else { return }
    (ports.gateDeadline, ports.wakeGate) = (deadline, wake)
  }

  // MARK: - Clients

  /// - Parameter asker: whose client it is; `nil`: this process's own.
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
    case .cancel(let id) where monitoring?.follows(id, of: client) == true:
      monitoring?.cancel(id, of: client)
    case .cancel(let id) where !listeners.isEmpty:
      listeners.cancel(client, id)
      removeTap()
      runner.feed(.request(client, request))
    case .status where logs?.hasLogs == true:
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

  /// Gathers what `body` sends, which is taken up at its end.
  func batch(_ body: () -> Void) { runner.batch(body) }

  /// Whether nobody looks at what a client shows.
  package func note(_ client: ClientID, isInBackground: Bool) {
    runner.feed(.presence(client, isInBackground: isInBackground))
  }

  /// The client has gone, and its requests with it.
  package func leave(_ client: ClientID) {
    logs?.leave(client)
    monitoring?.leave(client)
    listeners.leave(client)
    parts.wifi?.cancel(client)
    removeTap()
    waitingForLogs.removeAll { $0.client == client }
    runner.feed(.clientGone(client))
    // The sources are closed: what they have told last is kept.
    if !runner.isBusy { saveUnlessRecent() }
  }

  /// What a client has under way.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) { runner.wants(of: client) }

  // MARK: - Life

  /// Tells the service what sources there are; from then on they are used as they are wanted.
  package func begin() throws(SystemError) {
    try parts.begin()
    try logs?.resume()
    try monitoring?.resume()
  }

  /// Has the logs brought to the disk, and records no more, so that the receivers are nobody's.
  package func endLogs() {
    logs?.end()
    monitoring?.end()
  }

  /// The same for a loop that does not run any more: waits for the disk.
  package func finishLogs() {
    logs?.finish()
    monitoring?.finish()
  }

  /// Whether the logs are being brought to the disk.
  package var isEndingLogs: Bool { logs?.isRunning ?? false || monitoring?.isRunning ?? false }

  /// Takes up what the owner has changed in the state folder.
  package func reload() { parts.devices?.reload() }

  /// Whether a receiver is being put back, before its port is closed.
  package var isReleasing: Bool { runner.isReleasing }

  /// What is known is written at the end, and on the way often enough that a power cut costs little and the card lasts.
  private static let savingInterval: Duration = .seconds(600)
  private static let idleSavingInterval: Duration = .seconds(60)
  private var savedAt: Instant?

  /// Writes down what is worth keeping, but not for every script that asks once a second.
  private func saveUnlessRecent() {
    if savedAt.map({ loop.now - $0 >= Self.idleSavingInterval }) ?? true { save() }
  }

  /// Writes down what is worth keeping, where there is any.
  package func save() {
    guard runner.hasNews else { return }
    savedAt = loop.now
    memory?.save(runner.takeMemory(), present: WallClock.believable)
  }
}

package import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
import Replay

/// The service hosted inside a process: the same messages as over the socket, handed over in memory.
///
/// Everything happens on the thread that calls `run`.
package final class EmbeddedHost {
  /// Hears what the service tells; set before `run`.
  package var onEvent: ((ServiceEvent) -> Void)?
  /// Hears what the service tells clients on other threads; set before `run`.
  package var onClientEvent: ((ClientID, ServiceEvent) -> Void)?
  /// Hears SIGINT and SIGTERM; set before `run`.
  package var onSignal: ((Int32) -> Void)?

  private let loop: EventLoop
  private let runner: ServiceRunner
  private let memory: MemoryFile?
  private let assistance: AssistanceStore?
  private let client = ClientID(0)
  private var parts = Parts()
  private var wakeTimer: TimerID?
  private var wakeAt: Instant?
  private var outputWatch: WatchID?
  private let isVirtual: Bool
  private var isStopping = false
  /// What the recording that is played says of its beginning.
  private var recordedStart: GNSSTime?

  /// What one kind of source needs and another does not.
  private struct Parts {
    var ports: (any LinkPorts)?
    var devices: DeviceSource?
    /// What else tells the service of its devices.
    var teller: AnyObject?
    var simulator: SimulatorFeed?
    var begin: () throws(SystemError) -> Void = {}
  }

  /// Hosts a service on `source`.
  ///
  /// - Parameters:
  ///   - realtime: a replay keeps its own pace; else it goes as fast as it can be decoded.
  ///   - stateFolder: where it remembers; `nil`: where the environment says.
  ///   - gpsd: whose receivers are left to it; `nil`: there is none to mind.
  ///   - takesSignals: whether SIGINT, SIGTERM and SIGHUP are this host's, and not those of the program around it.
  package init(
    source: SourceSelection, realtime: Bool = true, stateFolder: String? = nil, minding gpsd: GPSDAddress? = .local,
    takesSignals: Bool = true
  ) throws(HostError) {
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      throw HostError(error)
    }
    let stateFolder =
      stateFolder
      ?? Directories.state(environment: ProcessEnvironment.stateVariables, isRoot: ProcessEnvironment.isRoot)
    switch source {
    case .replay(let path):
      isVirtual = !realtime
      memory = nil
      assistance = nil
      let events = try RecordedEvents(path: path)
      let time = ReplayPorts.VirtualTime(now: loop.now)
      let start = events.startTime()
      recordedStart = start
      let settings = ServiceCore.Settings(
        eraFloor: start?.date, wallClock: start ?? WallClock.now(), startedAt: loop.now, memory: ServiceMemory())
      runner = ServiceRunner(settings, clock: { [loop] in realtime ? loop.now : time.now })
      let ports = ReplayPorts(
        loop: loop, runner: runner, events: events, isRealtime: realtime, virtualTime: time)
      parts.ports = ports
      parts.begin = { ports.begin() }
    case .automatic, .serial, .gpsd, .simulator:
      isVirtual = false
      recordedStart = nil
      // What a simulator says is worth nothing tomorrow.
      memory = source == .simulator ? nil : stateFolder.map(MemoryFile.init(folder:))
      assistance = source == .simulator ? nil : stateFolder.map(AssistanceStore.init(folder:))
      let remembered = memory?.load(present: Self.setClock) ?? ServiceMemory()
      runner = ServiceRunner(
        Self.settings(remembered, at: loop.now), clock: { [loop] in loop.now })
      let ports = LivePorts(loop: loop, runner: runner, lockFolders: ProcessEnvironment.lockFolders)
      #if GPSD
        parts.ports = RoutedPorts(direct: ports, gpsd: GPSDPorts(loop: loop, runner: runner))
      #else
        parts.ports = ports
      #endif
      do throws(SystemError) {
        try prepare(source, stateFolder: stateFolder, minding: gpsd)
      } catch {
        throw HostError(error)
      }
    }
    connect()
    guard takesSignals else { return }
    do throws(SystemError) {
      try loop.watchSignals([SignalNumber.interrupt, SignalNumber.terminate, SignalNumber.hangUp]) { [unowned self] in
        // Who asks twice does not want to wait.
        if isStopping { loop.stop() } else { onSignal?($0) }
      }
    } catch {
      throw HostError(error)
    }
  }

  /// The machine's clock, where it has been set since power-on: it does not stand before the build.
  private static var setClock: GNSSTime? {
    let wall = WallClock.now()
    guard let build = BuildDate.date, let today = wall.date else { return wall }
    return today >= build ? wall : nil
  }

  /// Whatever is certain to be past bounds the dates that a receiver tells.
  private static func settings(_ memory: ServiceMemory, at now: Instant) -> ServiceCore.Settings {
    var floor = BuildDate.date
    if let known = memory.lastGoodTime?.date { floor = max(floor ?? known, known) }
    // A clock that stands before that has not been set since power-on.
    let wall = setClock.flatMap { clock in (floor.map { (clock.date ?? $0) >= $0 } ?? true) ? clock : nil }
    var settings = ServiceCore.Settings(eraFloor: floor, wallClock: wall, startedAt: now, memory: memory)
    settings.wallClockError = WallClock.error
    settings.bootID = ProcessEnvironment.bootID
    return settings
  }

  private func prepare(
    _ source: SourceSelection, stateFolder: String?, minding gpsd: GPSDAddress?
  ) throws(SystemError) {
    switch source {
    case .automatic:
      let devices = try DeviceSource(
        loop: loop, runner: runner, stateFolder: stateFolder ?? "/nonexistent",
        neighbour: GPSDNeighbour(loop: loop, address: gpsd))
      parts.devices = devices
      parts.begin = { () throws(SystemError) in try devices.begin() }
    case .serial(let path, let baud):
      var sighting = DeviceSighting(id: path, path: path, kind: .trusted)
      sighting.namedSpeed = baud
      let port = NamedPort(sighting, neighbour: GPSDNeighbour(loop: loop, address: gpsd), runner: runner)
      parts.teller = port
      parts.begin = { port.begin() }
    case .gpsd(let address):
      #if GPSD
        let source = GPSDSource(loop: loop, runner: runner, address: address)
        parts.teller = source
        parts.begin = { source.begin() }
      #endif
    case .simulator:
      var configuration = SimulatedReceiver.Configuration()
      // Receivers' epochs are on the whole second.
      let now = WallClock.now().nanosecondsSince1970
      configuration.startTime = GNSSTime(nanosecondsSince1970: now - now % 1_000_000_000)
      let simulator = try SimulatorFeed(loop: loop, configuration)
      parts.simulator = simulator
      let sighting = DeviceSighting(id: "simulator", path: simulator.path, kind: .trusted)
      parts.begin = { [runner] () throws(SystemError) in
        try simulator.begin()
        Self.tell(sighting, to: runner)
      }
    case .replay: break
    }
  }

  private static func tell(_ sighting: DeviceSighting, to runner: ServiceRunner) {
    runner.feed(.deviceAppeared(sighting))
    runner.feed(.inventoryComplete)
  }

  private func connect() {
    runner.ports = parts.ports
    runner.onEvent = { [unowned self] client, event in
      if client == self.client { onEvent?(event) } else { onClientEvent?(client, event) }
    }
    runner.changeTrust = { [unowned self] id, isTrusted in
      guard let devices = parts.devices else { return .unknownDevice(selector: id, known: []) }
      return devices.changeTrust(of: id, to: isTrusted)
    }
    runner.recall = { [assistance] in assistance?.load($0) }
    runner.keep = { [assistance] in assistance?.save($0) }
    runner.onNews = { [unowned self] in
      if loop.now - savedAt >= Self.savingInterval { save() }
    }
    // In virtual time the replay itself looks after the core's deadlines.
    runner.onDeadlineChanged = { [unowned self] in
      if !isVirtual { armWake($0) }
      stopWhenReleased()
    }
  }

  /// Moves the timer when its deadline has come nearer, or much farther away: a system call for every few bytes is saved
  /// so, and so is nearly every wakeup for a deadline that is none any more.
  private func armWake(_ deadline: Instant?) {
    guard let deadline else { return }
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

  // MARK: - What the client does

  /// Records from now on what the receivers say; before `run`.
  package func record(to recording: CaptureRecording) {
    let isReplay = parts.ports is ReplayPorts
    runner.tap = CaptureTap(origin: runner.present, wallClock: isReplay ? recordedStart : Self.setClock) {
      recording.take($0)
    }
  }

  /// Hears the receivers out from now on, and writes nothing to them; before `run`.
  package func examine() -> ReceiverExaminer {
    let isRecording = parts.ports is ReplayPorts
    let examiner = ReceiverExaminer(
      dateFloor: runner.eraFloor, now: { [runner] in runner.present },
      clock: { isRecording ? nil : Self.setClock },
      lineErrors: { [weak self] in self?.parts.ports?.lineErrors($0) })
    runner.tap = examiner
    return examiner
  }

  /// Sends a request; answers come as events, from within `run` or from within this call.
  package func send(_ request: ClientRequest) { runner.feed(.request(client, request)) }

  /// Takes what clients on other threads leave in `mailbox`; their numbers are not 0, which is this thread's own.
  package func serve(_ mailbox: LoopMailbox<HostMessage>) throws(HostError) {
    do throws(SystemError) {
      try loop.receive(from: mailbox) { [unowned self] message in
        switch message {
        case .request(let client, let request): runner.feed(.request(client, request))
        case .left(let client): runner.feed(.clientGone(client))
        }
      }
    } catch {
      throw HostError(error)
    }
  }

  /// Serves until `stop`; throws what ended it before.
  package func run() throws(HostError) {
    defer {
      runner.feed(.clientGone(client))
      save()
    }
    do throws(SystemError) {
      try parts.begin()
      try loop.run()
    } catch {
      throw HostError(error)
    }
  }

  /// What is known is written at the end, and on the way often enough that a power cut costs little and the card lasts.
  private static let savingInterval: Duration = .seconds(600)
  private lazy var savedAt = loop.now

  private func save() {
    savedAt = loop.now
    guard runner.hasNews else { return }
    memory?.save(runner.takeMemory(), present: Self.setClock)
  }

  /// Ends `run`, once the receivers are as they were; at once where it is called again.
  package func stop() {
    guard !isStopping else { return loop.stop() }
    isStopping = true
    runner.feed(.clientGone(client))
    stopWhenReleased()
  }

  private func stopWhenReleased() { if isStopping, !runner.isReleasing { loop.stop() } }

  /// The present of the host's clock.
  package var now: Instant { loop.now }

  /// Calls `body` once, after that long.
  package func setTimer(after delay: Duration, _ body: @escaping () -> Void) {
    loop.schedule(at: MonotonicClock.now() + delay, body)
  }

  /// Calls `body` when what is on the terminal is not what was drawn there any more: its size has changed (`true`), or this
  /// process was stopped meanwhile (`false`). A system that cannot tell leaves the picture as it is.
  package func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) {
    try? loop.watchSignals([SignalNumber.windowChanged, SignalNumber.continued]) {
      body($0 == SignalNumber.windowChanged)
    }
  }

  /// Calls `body` when whoever reads standard output has gone, also while nothing is written. A file has no reader.
  package func onOutputClosed(_ body: @escaping () -> Void) {
    guard outputWatch == nil else { return }
    outputWatch = try? loop.watch(1, for: []) { [unowned self] readiness in
      guard readiness.hangUp || readiness.error, let watch = outputWatch else { return }
      loop.unwatch(watch)
      body()
    }
  }
}

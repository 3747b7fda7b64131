import Geodesy
package import LinuxIO
package import LocationIPC
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

  /// Hears what happens to the logs.
  package var onLogNews: ((LogNews) -> Void)?

  private let loop: EventLoop
  private let runner: ServiceRunner
  private let memory: MemoryFile?
  private let assistance: AssistanceStore?
  private let inheritances: InheritanceStore?
  private let parts: HostedSource
  private let source: SourceSelection
  private let startedAt: Instant
  private var wakeTimer: TimerID?
  private var wakeAt: Instant?
  private let isVirtual: Bool
  /// What the recording that is played says of its beginning.
  private let recordedStart: GNSSTime?
  private let listeners = ListeningPost()
  private var logs: LogThread?
  /// What the logs said of themselves last, and who waits for the service's account while they say it anew.
  private var logAccount: [LogDescription] = []
  private var waitingForLogs: [(client: ClientID, request: ClientRequest)] = []
  private var accountTimer: TimerID?

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
    switch source {
    case .replay(let path):
      isVirtual = !realtime
      memory = nil
      assistance = nil
      inheritances = nil
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
    case .daemon:
      // It remembers for itself.
      isVirtual = false
      recordedStart = nil
      memory = nil
      assistance = nil
      inheritances = nil
      runner = ServiceRunner(Self.settings(ServiceMemory(), at: loop.now), clock: { loop.now })
      do throws(SystemError) {
        parts = HostedSource(listening: try HeardPorts(loop: loop, runner: runner))
      } catch {
        throw HostError(error)
      }
    case .automatic, .serial, .gpsd, .simulator:
      isVirtual = false
      recordedStart = nil
      // What a simulator says is worth nothing tomorrow.
      memory = source == .simulator ? nil : stateFolder.map(MemoryFile.init(folder:))
      assistance = source == .simulator ? nil : stateFolder.map(AssistanceStore.init(folder:))
      inheritances = source == .simulator ? nil : stateFolder.map(InheritanceStore.init(folder:))
      let remembered = memory?.load(present: Self.setClock) ?? ServiceMemory()
      runner = ServiceRunner(Self.settings(remembered, at: loop.now), clock: { loop.now })
      do throws(SystemError) {
        parts = try HostedSource(source, loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd)
      } catch {
        throw HostError(error)
      }
    }
    connect()
    guard let stateFolder else { return }
    (parts.ports as? ReplayPorts)?.isHeldBack = { [weak self] in self?.logs?.isBehind ?? false }
    do throws(SystemError) {
      logs = try LogThread(
        loop: loop, now: { [runner] in runner.present }, stateFolder: stateFolder, records: recordsLogs,
        isVirtual: isVirtual
      ) { [weak self] in self?.hear($0) }
    } catch {
      throw HostError(error)
    }
  }

  /// The machine's clock, where it has been set since power-on.
  private static var setClock: GNSSTime? {
    ServiceCore.Settings.believable(WallClock.now(), after: BuildDate.date)
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
    runner.onEvent = { [unowned self] client, event in
      tell(client, event)
    }
    runner.describe = { [unowned self] status in
      status.source = source.text
      status.runningFor = loop.now - startedAt
      status.logs = logAccount
      describe?(&status)
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
    runner.onSettled = { [unowned self] in onSettled?() }
    // In virtual time the replay itself looks after the core's deadlines.
    runner.onDeadlineChanged = { [unowned self] in
      if !isVirtual { armWake($0) }
    }
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

  // MARK: - Clients

  package func send(_ request: ClientRequest, from client: ClientID) {
    switch request {
    case .log(let id, let request): ask(request, id, from: client)
    case .listenIn(let id): admit(client, id)
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

  /// The client has gone, and its requests with it.
  package func leave(_ client: ClientID) {
    logs?.leave(client)
    listeners.leave(client)
    removeTap()
    waitingForLogs.removeAll { $0.client == client }
    runner.feed(.clientGone(client))
    // The sources are closed: what they have told last is kept, but not for every script that asks once a second.
    if !runner.isBusy, savedAt.map({ loop.now - $0 >= Self.idleSavingInterval }) ?? true { save() }
  }

  /// What a client has under way.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) { runner.wants(of: client) }

  // MARK: - Life

  /// Tells the service what sources there are; from then on they are used as they are wanted.
  package func begin() throws(SystemError) {
    try parts.begin()
    try logs?.resume()
  }

  /// Has the logs brought to the disk, and records no more, so that the receivers are nobody's.
  package func endLogs() { logs?.end() }

  /// The same for a loop that does not run any more: waits for the disk.
  package func finishLogs() { logs?.finish() }

  /// Whether the logs are being brought to the disk.
  package var isEndingLogs: Bool { logs?.isRunning ?? false }

  /// Takes up what the owner has changed in the state folder.
  package func reload() { parts.devices?.reload() }

  /// Whether a receiver is being put back, before its port is closed.
  package var isReleasing: Bool { runner.isReleasing }

  /// What is known is written at the end, and on the way often enough that a power cut costs little and the card lasts.
  private static let savingInterval: Duration = .seconds(600)
  private static let idleSavingInterval: Duration = .seconds(60)
  private var savedAt: Instant?

  /// Writes down what is worth keeping, where there is any.
  package func save() {
    guard runner.hasNews else { return }
    savedAt = loop.now
    memory?.save(runner.takeMemory(), present: Self.setClock)
  }

  // MARK: - Logs

  private func ask(_ request: LogRequest, _ id: RequestID, from client: ClientID) {
    var (reason, cause): (String?, StorageCause) = (nil, .other)
    do throws(SystemError) {
      let isTaken = try logs?.ask(request, id, from: client)
      if isTaken == nil { reason = "none is named, and there is no HOME" }
      if isTaken == false { (reason, cause) = ("its disk does not keep up: too many requests wait for it", .busy) }
    } catch {
      reason = error.description
    }
    guard let reason else { return }
    let path = logs?.stateFolder ?? "the state folder"
    onEvent?(client, .failed(id, .log(.cannotKeep(path: path, reason: reason, cause: cause))))
    onSettled?()
  }

  /// The thread of the logs has a word.
  private func hear(_ report: LogReport) {
    switch report {
    case .ask(let request, let client): runner.feed(.request(client, request))
    case .left(let client): leave(client)
    case .answer(let event, let client): onEvent?(client, event)
    case .news(let news): onLogNews?(news)
    case .account(let account):
      logAccount = account ?? []
      answerWaiting()
    case .ended: answerWaiting()
    }
    onSettled?()
  }

  /// Logs whose disk hangs are told as they were: the account is there for when something is wrong.
  private static let patienceForLogs: Duration = .seconds(1)

  private func askLogs() {
    guard (try? logs?.describe()) != nil else { return answerWaiting() }
    accountTimer = loop.schedule(at: loop.now + Self.patienceForLogs) { [unowned self] in
      accountTimer = nil
      answerWaiting()
    }
  }

  private func answerWaiting() {
    if let timer = accountTimer.take() { loop.cancel(timer) }
    for (client, request) in waitingForLogs { runner.feed(.request(client, request)) }
    waitingForLogs = []
  }

  /// The logs' own clients have numbers below 0; the others' are their host's to choose.
  private func tell(_ client: ClientID, _ event: ServiceEvent) {
    if client.rawValue < 0 { logs?.hear(event, by: client) } else { onEvent?(client, event) }
  }

  // MARK: - Listening in

  private func admit(_ client: ClientID, _ request: RequestID) {
    let now = runner.present
    let hear: ([UInt8]) -> Void = { [unowned self] in onEvent?(client, .heard(request, $0)) }
    let tap = listeners.admit(client, request, wallClock: Self.setClock, at: now, hear: hear)
    guard let tap else {
      onEvent?(client, .failed(request, .tooManyRequests(limit: ListeningPost.maximumListeners)))
      onSettled?()
      return
    }
    for port in runner.openPorts { tap.begin(port.id, port.device, baud: port.baud, at: now) }
    runner.tap = listeners
    onSettled?()
  }

  private func removeTap() { if listeners.isEmpty, runner.tap === listeners { runner.tap = nil } }

  /// Records from now on what the receivers say.
  package func record(to recording: CaptureRecording) {
    if let heard = parts.ports as? HeardPorts {
      // Times, speeds and devices are those that the daemon saw.
      heard.onRecord = { recording.take($0) }
      return
    }
    let isReplay = parts.ports is ReplayPorts
    runner.tap = CaptureTap(origin: runner.present, wallClock: isReplay ? recordedStart : Self.setClock) {
      recording.take($0)
    }
  }

  /// Hears the receivers out from now on, and writes nothing to them.
  package func examine() -> ReceiverExaminer {
    let isRecording = parts.ports is ReplayPorts
    let examiner = ReceiverExaminer(
      dateFloor: runner.eraFloor, now: { [runner] in runner.present },
      clock: { isRecording ? nil : Self.setClock },
      lineErrors: { [weak self] in self?.parts.ports?.lineErrors($0) })
    runner.tap = examiner
    return examiner
  }
}

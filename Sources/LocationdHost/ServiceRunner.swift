import GNSSReceiver
package import Geodesy
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdService
import WireFormats

/// Runs the service core on an event loop: passes inputs to it, executes its actions, and wakes it at its deadlines.
package final class ServiceRunner {
  private var core: ServiceCore
  private let clock: () -> Instant
  private var inbox: [ServiceCore.Input] = []
  private var isFeeding = false
  /// The number of batches in progress.
  private var batches = 0

  private let loop: EventLoop
  /// Whether time comes from a recording; then the replay wakes the core.
  private let isVirtual: Bool
  private var wakeTimer: TimerID?
  private var wakeAt: Instant?

  private unowned let ports: any ServicePorts
  private unowned let clients: any ServiceClients
  private unowned let host: any ServiceHost
  private unowned let observer: any ServiceObserver
  private let storage: ServiceStorage
  /// Observes the traffic between the core and its ports.
  package var tap: (any PortObserver)?
  /// Whether the memory has changed since it was saved.
  private var hasChangedMemory = false

  /// - Parameters:
  ///   - clock: returns the current time, of the loop or of a replay.
  ///   - ports: execute the core's actions.
  ///   - clients: receive the core's events.
  package init(
    _ settings: ServiceCore.Settings, loop: EventLoop, clock: @escaping () -> Instant, isVirtual: Bool,
    ports: any ServicePorts, clients: any ServiceClients, host: any ServiceHost, observer: any ServiceObserver,
    storage: ServiceStorage
  ) {
    core = ServiceCore(settings)
    eraFloor = settings.eraFloor
    (self.loop, self.clock, self.isVirtual) = (loop, clock, isVirtual)
    (self.ports, self.clients, self.host) = (ports, clients, host)
    (self.observer, self.storage) = (observer, storage)
  }

  /// The current time.
  package var present: Instant { clock() }

  /// Whether a device's port is open, being opened, or about to be closed.
  func holdsPort(of deviceID: String) -> Bool { core.holdsPort(of: deviceID) }

  /// The latest day that is certainly in the past.
  package let eraFloor: CalendarDate?

  /// The latest confirmed time of any receiver, also of earlier runs.
  var lastGoodTime: GNSSTime? { core.memory.lastGoodTime }

  /// The core's next deadline.
  var nextDeadline: Instant? { core.earliestDeadline() }

  /// Whether any request is in progress, or a receiver's settings are being restored before its port is closed.
  package var isBusy: Bool { core.isBusy || core.isReleasing }

  /// The numbers of a client's requests in progress, by kind.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) { core.wants(of: client) }

  /// Whether a receiver's settings are being restored before its port is closed, or an input that may cause that has
  /// not been handled yet.
  package var isReleasing: Bool { core.isReleasing || !inbox.isEmpty }

  /// The detected devices.
  package var devices: [DeviceDescription] { core.currentDevices() }

  /// Whether there certainly is no receiver.
  package var lacksReceiver: Bool { core.lacksReceiver }

  /// The open ports, and their current baud rates.
  package var openPorts: [(id: LinkID, device: DetectedDevice, baud: Int?)] { core.openPorts }

  /// Saves the memory if it has changed.
  package func save() {
    guard hasChangedMemory else { return }
    hasChangedMemory = false
    storage.save(core.memory)
  }

  /// Saves the memory if it has changed, at the end of a use.
  package func saveAfterUse() {
    if storage.isDueAfterUse { save() }
  }

  /// Sends a client the answer of another part of the service.
  package func answer(_ client: ClientID, _ event: ServiceEvent) {
    clients.send(event, to: client)
    host.turnEnded()
  }

  /// Reports an event of a device that does not concern the core.
  func report(_ event: DeviceEvent) { observer.receive(event) }

  /// Passes an input to the core. An input that arrives while an action is executed waits until that action is
  /// complete.
  package func handle(_ input: ServiceCore.Input) {
    inbox.append(input)
    guard !isFeeding, batches == 0 else { return }
    drain()
    settle()
  }

  /// Runs `body` and handles the inputs that it passes together, so that the sources are planned once for all requests
  /// among them. The cost of planning grows with the number of requests; planning for each of many new ones would make
  /// it quadratic.
  package func batch(_ body: () -> Void) {
    batches += 1
    body()
    batches -= 1
    guard batches == 0, !isFeeding, !inbox.isEmpty else { return }
    drain()
    settle()
  }

  /// Passes bytes from a receiver to the core.
  func receive(_ bytes: Span<UInt8>, on id: LinkID) {
    deliver(bytes, on: id)
    settle()
  }

  /// Passes all available bytes of a port to the core. Returns the time until which its next bytes may stay unread; see
  /// `rest(of:)`.
  func receiveAll(_ bytes: Span<UInt8>, on id: LinkID) -> Instant? {
    deliver(bytes, on: id)
    // Events are sent first; the deadlines can wait.
    host.turnEnded()
    correct()
    return rest(of: id)
  }

  private func deliver(_ bytes: Span<UInt8>, on id: LinkID) {
    tap?.received(bytes, on: id, at: clock())
    process(core.receive(bytes, on: id, at: clock()))
  }

  /// Reports to the observer that another process has set the baud rate of a port.
  func noteSpeed(_ baud: Int, of id: LinkID) { tap?.note(.setSpeed(id, baud: baud), at: clock()) }

  /// Passes a gpsd report about a receiver to the core.
  func receive(_ report: GPSDMessage, on id: LinkID) {
    process(core.receive(report, on: id, at: clock()))
    settle()
  }

  private func process(_ actions: [ServiceCore.Action]) {
    isFeeding = true
    if !actions.isEmpty { execute(actions) }
    drain()
  }

  /// The time until which a receiver's next bytes may stay unread; `nil` if they must be read at once, as with an
  /// observer.
  func rest(of id: LinkID) -> Instant? {
    let end = tap == nil ? core.rest(of: id, at: clock()) : nil
    armWake()
    return end
  }

  private func drain() {
    isFeeding = true
    var next = 0
    while next < inbox.count {
      tap?.note(inbox[next], at: clock())
      if let event = logEvent(of: inbox[next]) { observer.receive(event) }
      // Another process may have used the receiver in the meantime.
      if case .portFreed = inbox[next], let memory = storage.loadMemory() {
        execute(core.handle(.remembered(memory), at: clock()))
      }
      core.gathersRequests =
        inbox[next].isRequestForLocations && next + 1 < inbox.count
        && inbox[next + 1].isRequestForLocations
      execute(core.handle(inbox[next], at: clock()))
      if !core.gathersRequests { execute(core.settleRequests(at: clock())) }
      if Self.mayClose(inbox[next]) { ports.administration?.ownership.portMayHaveClosed() }
      next += 1
    }
    inbox.removeAll(keepingCapacity: true)
    core.gathersRequests = false
    isFeeding = false
  }

  /// Whether this input may close a port that was open or was being opened.
  private static func mayClose(_ input: ServiceCore.Input) -> Bool {
    switch input {
    case .closed, .openFailed, .deviceVanished, .ended: true
    case .deviceAppeared, .sourceless, .inventoryComplete, .opened, .portFreed, .request, .presence, .clientGone,
      .recalled,
      .settingsRecalled, .trustChanged, .ownerSet, .wifiChanged, .scanned, .remembered, .prefer, .useCorrections,
      .setMonitoringFeed,
      .setTiming, .wake:
      false
    }
  }

  private func settle() {
    host.turnEnded()
    correct()
    armWake()
  }

  /// Passes the open receivers and the position on to the source of corrections.
  private func correct() {
    guard let corrections = ports.corrections else { return }
    corrections.update(tap?.forbidsWriting == true ? [] : core.correctedLinks, at: core.latestFix)
  }

  /// Arms the timer for the core's next deadline, but moves it only if the deadline is earlier, or much later. That
  /// saves a system call for every few bytes, and almost every wakeup for a deadline that no longer exists.
  private func armWake() {
    guard !isVirtual else { return }
    guard let deadline = nextDeadline else { return disarmWake() }
    if let wakeAt, let wakeTimer {
      guard deadline < wakeAt || wakeAt - loop.now < (deadline - wakeAt) * 2 else { return }
      loop.reschedule(wakeTimer, at: deadline)
    } else {
      wakeTimer = loop.schedule(at: deadline) { [unowned self] in
        wakeAt = nil
        wakeTimer = nil
        handle(.wake)
      }
    }
    wakeAt = deadline
  }

  /// Cancels the timer, so that an idle service has no wakeups.
  private func disarmWake() {
    guard let wakeTimer, !isBusy else { return }
    loop.cancel(wakeTimer)
    self.wakeTimer = nil
    wakeAt = nil
  }

  private func logEvent(of input: ServiceCore.Input) -> DeviceEvent? {
    switch input {
    case .deviceAppeared(let detectedDevice): core.knows(detectedDevice) ? nil : .appeared(path: detectedDevice.path)
    case .deviceVanished(_, let path): .vanished(path: path)
    case .opened(let id, _): core.path(of: id).map { .opened(path: $0) }
    case .openFailed(let id, let problem): core.path(of: id).map { .notOpened(path: $0, problem) }
    case .closed(let id): core.path(of: id).map { .closed(path: $0) }
    case .sourceless, .inventoryComplete, .portFreed, .ended, .request, .presence, .clientGone, .recalled,
      .settingsRecalled,
      .trustChanged, .ownerSet, .wifiChanged, .scanned, .remembered, .prefer, .useCorrections, .setMonitoringFeed,
      .setTiming, .wake:
      nil
    }
  }

  private func execute(_ actions: [ServiceCore.Action]) {
    for action in actions {
      tap?.note(action, at: clock())
      if case .close(let id) = action, let path = core.path(of: id) { observer.receive(.closed(path: path)) }
      switch action {
      case .open(let id, let device): ports.links?.open(id, device)
      case .close(let id):
        // Saved before the port is released, so that the next program that opens the port finds the fix.
        saveAfterUse()
        ports.links?.close(id)
        ports.administration?.ownership.portMayHaveClosed()
      case .setSpeed(let id, let baud): ports.links?.setSpeed(id, baud: baud)
      case .write(let id, let bytes): if tap?.forbidsWriting != true { ports.links?.write(id, bytes) }
      case .send(let client, .status(let id, var status)):
        observer.describe(&status)
        host.describe(&status)
        clients.send(.status(id, status), to: client)
      case .send(let client, let event): clients.send(event, to: client)
      case .changeTrust(let client, let request, let id, let isTrusted):
        let failure =
          if let administration = ports.administration { administration.changeTrust(of: id, to: isTrusted) } else {
            LocationFailure.unknownDevice(selector: id, known: [])
          }
        inbox.append(.trustChanged(client, request, failure))
      case .setOwner(let client, let request, let device, let owner):
        guard let administration = ports.administration else {
          inbox.append(.ownerSet(client, request, .unknownDevice(selector: device.path, known: [])))
          continue
        }
        administration.setOwner(owner, of: device) { [unowned self] in handle(.ownerSet(client, request, $0)) }
      case .recall(let id, let key): inbox.append(.recalled(id, storage.assistance?.load(key)))
      case .keep(let data): storage.assistance?.save(data)
      case .recallSettings(let id, let key): inbox.append(.settingsRecalled(id, storage.settings?.load(key)))
      case .keepSettings(let key, let settings): storage.settings?.save(settings, of: key)
      case .leftChanged(let path, let count): observer.receive(.leftChanged(path: path, settings: count))
      case .listenToWiFi(let wish): ports.wifi?.require(wish)
      case .learnPlaces(let fix): ports.wifi?.learn(at: fix)
      case .monitoringFix(let fix): observer.receive(fix)
      case .timed(let id, let report): ports.time?.receive(report, of: id)
      case .remember:
        hasChangedMemory = true
        if storage.isDue { save() }
      }
    }
  }
}

extension ServiceCore.Input {
  /// Whether the input starts or ends a request that requires planning of the sources.
  fileprivate var isRequestForLocations: Bool {
    switch self {
    case .request(_, .locate), .request(_, .startUpdates), .request(_, .watchSky), .request(_, .cancel): true
    default: false
    }
  }
}

/// Events of devices and their ports, as they are logged; they never contain a position.
package enum DeviceEvent: Hashable, Sendable {
  case appeared(path: String)
  case vanished(path: String)
  case opened(path: String)
  case notOpened(path: String, OpenProblem)
  case closed(path: String)
  /// gpsd has released or accepted the device; or the problem that prevented that.
  case handedOver(path: String, to: DeviceOwner, HandoverProblem?)
  /// The number of settings that were not restored when the receiver's port was closed: the receiver did not accept them, or not
  /// in time. The process that opens the receiver next tries again.
  case leftChanged(path: String, settings: Int)
}

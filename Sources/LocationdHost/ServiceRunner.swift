package import GNSSReceiver
package import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdService
import WireFormats

/// Runs the service core on an event loop: feeds it inputs, executes its actions, and wakes it at its deadlines.
package final class ServiceRunner {
  private var core: ServiceCore
  /// The current time: the loop's, or a replay's own.
  private let clock: () -> Instant
  private var inbox: [ServiceCore.Input] = []
  private var isFeeding = false
  /// The number of batches in progress.
  private var batches = 0

  /// Executes the actions that concern ports.
  package weak var ports: (any LinkPorts)?
  /// Sends events to their client.
  package var onEvent: ((ClientID, ServiceEvent) -> Void)?
  /// Stores whether a device is trusted; returns a failure, or `nil`.
  package var changeTrust: ((_ deviceID: String, _ isTrusted: Bool) -> LocationFailure?)?
  /// Changes a device's owner, then calls the closure with a failure or `nil`.
  package var setOwner: ((DeviceSighting, DeviceOwner, @escaping (LocationFailure?) -> Void) -> Void)?
  /// Called before a port is closed; other programs may wait for the port.
  package var onClosing: (() -> Void)?
  /// Loads what other processes have stored.
  package var recallMemory: (() -> ServiceMemory?)?
  /// Called when a port may have been closed.
  var onPortClosed: (() -> Void)?
  /// Loads the assistance data of a receiver.
  package var recall: ((ReceiverKey) -> AssistanceData?)?
  /// Stores the assistance data of a receiver.
  package var keep: ((AssistanceData) -> Void)?
  /// Loads the settings to restore in a receiver.
  package var recallSettings: ((ReceiverKey) -> InheritedSettings?)?
  /// Stores the settings to restore in a receiver.
  package var keepSettings: ((ReceiverKey, InheritedSettings?) -> Void)?
  /// Starts or stops Wi-Fi scanning.
  var listenToWiFi: ((WiFiWish?) -> Void)?
  /// Learns the positions of the access points received at a fix.
  var learnPlaces: ((PositionFix) -> Void)?
  /// Receives each monitoring fix.
  package var onNotice: ((NoticedFix) -> Void)?
  /// Observes the traffic between the core and its ports.
  package var tap: (any PortTap)?
  /// Called after each turn, when all its events are sent.
  package var onSettled: (() -> Void)?
  /// Called after each turn and `onSettled`, when the core's next deadline may have changed.
  package var onDeadlineChanged: ((Instant?) -> Void)?
  /// Adds the host's part to the service's status.
  package var describe: ((inout ServiceStatus) -> Void)?
  /// Receives events of devices and their ports.
  package var onDeviceNews: ((DeviceNews) -> Void)?
  /// Called when the memory has changed.
  package var onNews: (() -> Void)?
  /// Whether the memory has changed since it was taken.
  package private(set) var hasNews = false

  package init(_ settings: ServiceCore.Settings, clock: @escaping () -> Instant) {
    core = ServiceCore(settings)
    eraFloor = settings.eraFloor
    self.clock = clock
  }

  /// The current time.
  package var present: Instant { clock() }

  /// Whether a device's port is open, being opened, or about to be closed.
  func holdsPort(of deviceID: String) -> Bool { core.holdsPort(of: deviceID) }

  /// The latest day that is certain to be past.
  package let eraFloor: CalendarDate?

  /// The core's next deadline.
  var nextDeadline: Instant? { core.earliestDeadline() }

  /// Whether any request is in progress, or a receiver is open.
  package var isBusy: Bool { core.isBusy || core.isReleasing }

  /// The numbers of a client's requests in progress.
  package func wants(of client: ClientID) -> (oneShots: Int, streams: Int, skies: Int) { core.wants(of: client) }

  /// Whether a receiver is being restored, before its port is closed.
  package var isReleasing: Bool { core.isReleasing }

  /// The open ports, and their current baud rates.
  package var openPorts: [(id: LinkID, device: DeviceSighting, baud: Int?)] { core.openPorts }

  /// Returns the memory to store, and resets `hasNews`.
  package func takeMemory() -> ServiceMemory {
    hasNews = false
    return core.memory
  }

  /// Feeds the core an input. An input that arrives while an action is executed waits until that is complete.
  package func feed(_ input: ServiceCore.Input) {
    inbox.append(input)
    guard !isFeeding, batches == 0 else { return }
    drain()
    settle()
  }

  /// Runs `body` and handles the inputs that it feeds together, so that the sources are planned once for all its requests.
  /// (Planning costs as much as there are requests, so that many at once would cost the square.)
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
    hear(bytes, on: id)
    settle()
  }

  /// Passes all available bytes of a port to the core. Returns until when its next bytes may stay unread; see `rest(of:)`.
  func receiveAll(_ bytes: Span<UInt8>, on id: LinkID) -> Instant? {
    hear(bytes, on: id)
    // Events go out first: the deadlines can wait.
    onSettled?()
    return rest(of: id)
  }

  private func hear(_ bytes: Span<UInt8>, on id: LinkID) {
    tap?.heard(bytes, on: id, at: clock())
    carryOut(core.receive(bytes, on: id, at: clock()))
  }

  /// Reports to the observer that another process has set the baud rate of a port.
  func noteSpeed(_ baud: Int, of id: LinkID) { tap?.note(.setSpeed(id, baud: baud), at: clock()) }

  /// Passes a gpsd report about a receiver to the core.
  func receive(_ report: GPSDMessage, on id: LinkID) {
    carryOut(core.receive(report, on: id, at: clock()))
    settle()
  }

  private func carryOut(_ actions: [ServiceCore.Action]) {
    isFeeding = true
    if !actions.isEmpty { perform(actions) }
    drain()
  }

  /// Until when a receiver's next bytes may stay unread; `nil`: they are read at once, as an observer requires.
  func rest(of id: LinkID) -> Instant? {
    let end = tap == nil ? core.rest(of: id, at: clock()) : nil
    onDeadlineChanged?(nextDeadline)
    return end
  }

  private func drain() {
    isFeeding = true
    var next = 0
    while next < inbox.count {
      tap?.note(inbox[next], at: clock())
      if let onDeviceNews, let news = news(of: inbox[next]) { onDeviceNews(news) }
      if case .portFreed = inbox[next], let memory = recallMemory?() {
        perform(core.handle(.remembered(memory), at: clock()))
      }
      core.gathersRequests =
        inbox[next].isRequestForLocations && next + 1 < inbox.count
        && inbox[next + 1].isRequestForLocations
      perform(core.handle(inbox[next], at: clock()))
      if !core.gathersRequests { perform(core.settleRequests(at: clock())) }
      if Self.mayClose(inbox[next]) { onPortClosed?() }
      next += 1
    }
    inbox.removeAll(keepingCapacity: true)
    core.gathersRequests = false
    isFeeding = false
  }

  /// Whether a port that was open, or was being opened, may be neither after this input.
  private static func mayClose(_ input: ServiceCore.Input) -> Bool {
    switch input {
    case .closed, .openFailed, .deviceVanished, .ended: true
    case .deviceAppeared, .sourceless, .inventoryComplete, .opened, .portFreed, .request, .presence, .clientGone,
      .recalled,
      .settingsRecalled, .trustChanged, .ownerSet, .wifiChanged, .scanned, .remembered, .notices, .wake:
      false
    }
  }

  private func settle() {
    onSettled?()
    onDeadlineChanged?(nextDeadline)
  }

  private func news(of input: ServiceCore.Input) -> DeviceNews? {
    switch input {
    case .deviceAppeared(let sighting): core.knows(sighting) ? nil : .appeared(path: sighting.path)
    case .deviceVanished(_, let path): .vanished(path: path)
    case .opened(let id, _): core.path(of: id).map { .opened(path: $0) }
    case .openFailed(let id, let problem): core.path(of: id).map { .notOpened(path: $0, problem) }
    case .closed(let id): core.path(of: id).map { .closed(path: $0) }
    case .sourceless, .inventoryComplete, .portFreed, .ended, .request, .presence, .clientGone, .recalled,
      .settingsRecalled,
      .trustChanged, .ownerSet, .wifiChanged, .scanned, .remembered, .notices, .wake:
      nil
    }
  }

  private func perform(_ actions: [ServiceCore.Action]) {
    for action in actions {
      tap?.note(action, at: clock())
      if let onDeviceNews, case .close(let id) = action, let path = core.path(of: id) {
        onDeviceNews(.closed(path: path))
      }
      switch action {
      case .open(let id, let device): ports?.open(id, device)
      case .close(let id):
        onClosing?()
        ports?.close(id)
        onPortClosed?()
      case .setSpeed(let id, let baud): ports?.setSpeed(id, baud: baud)
      case .write(let id, let bytes): if tap?.forbidsWriting != true { ports?.write(id, bytes) }
      case .send(let client, .status(let id, var status)):
        describe?(&status)
        onEvent?(client, .status(id, status))
      case .send(let client, let event): onEvent?(client, event)
      case .changeTrust(let client, let request, let device, let isTrusted):
        inbox.append(.trustChanged(client, request, changeTrust?(device, isTrusted)))
      case .setOwner(let client, let request, let device, let owner):
        guard let setOwner else {
          inbox.append(.ownerSet(client, request, .unknownDevice(selector: device.path, known: [])))
          continue
        }
        setOwner(device, owner) { [unowned self] in feed(.ownerSet(client, request, $0)) }
      case .recall(let id, let key): inbox.append(.recalled(id, recall?(key)))
      case .keep(let data): keep?(data)
      case .recallSettings(let id, let key): inbox.append(.settingsRecalled(id, recallSettings?(key)))
      case .keepSettings(let key, let settings): keepSettings?(key, settings)
      case .leftChanged(let path, let count): onDeviceNews?(.leftChanged(path: path, settings: count))
      case .listenToWiFi(let wish): listenToWiFi?(wish)
      case .learnPlaces(let fix): learnPlaces?(fix)
      case .notice(let fix): onNotice?(fix)
      case .remember:
        hasNews = true
        onNews?()
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
package enum DeviceNews: Hashable, Sendable {
  case appeared(path: String)
  case vanished(path: String)
  case opened(path: String)
  case notOpened(path: String, OpenProblem)
  case closed(path: String)
  /// gpsd has released or accepted the device, or the problem that prevented it.
  case handedOver(path: String, to: DeviceOwner, HandoverProblem?)
  /// The number of settings that the receiver did not accept when they were restored; the next owner tries again.
  case leftChanged(path: String, settings: Int)
}

import GNSSReceiver
import Geodesy
import LocationIPC
import LocationReplay
import LocationdServer
import LocationdService
import Testing

/// A service core with a simulated receiver on its only port, in virtual time.
struct ReceiverRun {
  private(set) var core: ServiceCore
  private(set) var receiver: SimulatedReceiver
  /// All actions of the core, with their times since the start.
  private(set) var done: [(at: Duration, action: ServiceCore.Action)] = []
  private(set) var isOpen = false
  /// The stored data of receivers, as on a disk.
  var kept: [ReceiverKey: AssistanceData] = [:]
  var pendingDeliveries: [ReceiverKey: String] = [:]
  private var now = Self.start

  static let start = CoreBench.start

  init(
    _ configuration: SimulatedReceiver.Configuration, memory: ServiceMemory = ServiceMemory(), isUblox: Bool = false,
    wallClock: GNSSTime? = nil, wallClockError: Duration? = .milliseconds(20), bootID: String? = nil
  ) {
    receiver = SimulatedReceiver(configuration)
    var settings = ServiceCore.Settings(
      eraFloor: CalendarDate(year: 2026, month: 1, day: 1), wallClock: wallClock ?? configuration.startTime,
      startedAt: now,
      memory: memory)
    settings.wallClockError = wallClockError
    settings.bootID = bootID
    core = ServiceCore(settings)
    var detectedDevice = CoreBench.receiver("usb-1546-01a8")
    detectedDevice.hasStableID = true
    detectedDevice.hasLineSpeed = false
    if isUblox { detectedDevice.usbVendorID = DetectedDevice.ubloxVendorID }
    deliver(receiver.handle(.powered, at: now))
    send(.deviceAppeared(detectedDevice))
    send(.inventoryComplete)
  }

  mutating func send(_ input: ServiceCore.Input) { receive(core.handle(input, at: now)) }

  mutating func run(until elapsed: Duration) {
    let end = Self.start + elapsed
    while let next = [receiver.nextDeadline, core.nextDeadline].compactMap({ $0 }).min(), next <= end {
      now = max(now, next)
      if let deadline = receiver.nextDeadline, deadline <= now { deliver(receiver.handle(.wake, at: now)) }
      if let deadline = core.nextDeadline, deadline <= now {
        send(.wake)
        guard let moved = core.nextDeadline, moved <= now else { continue }
        Issue.record("the core's deadline stands still at \(now - Self.start)")
        return
      }
    }
    now = end
  }

  /// The receiver no longer sends or receives anything.
  mutating func unplugSilently() { deliver(receiver.handle(.unplugged, at: now)) }

  /// The time of the first such action; `nil`: there was none.
  func first(_ matches: (ServiceCore.Action) -> Bool) -> Duration? { done.first { matches($0.action) }?.at }

  var closings: Int { done.filter { if case .close = $0.action { true } else { false } }.count }
  var firstFix: Duration? {
    first {
      switch $0 {
      case .send(_, .update), .send(_, .located): true
      default: false
      }
    }
  }

  private mutating func deliver(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions where isOpen {
      receive(core.receive(bytes.span, on: CoreBench.first, at: now))
    }
  }

  private mutating func receive(_ actions: [ServiceCore.Action]) {
    for action in actions {
      done.append((now - Self.start, action))
      switch action {
      case .open(let id, _):
        isOpen = true
        send(.opened(id, baud: nil))
      case .close: isOpen = false
      case .write(_, let bytes): deliver(receiver.handle(.received(bytes), at: now))
      case .recall(let id, let key): send(.recalled(id, kept[key]))
      case .keep(let data): kept[data.key] = data
      case .recallSettings(let id, let key):
        // The configuration as read from a file.
        send(.settingsRecalled(id, pendingDeliveries[key].flatMap { SavedReceiverConfiguration(text: $0) }))
      case .keepSettings(let key, let settings): pendingDeliveries[key] = settings?.text
      case .leftChanged, .send, .setSpeed, .changeTrust, .setOwner, .listenToWiFi, .learnPlaces, .monitoringFix,
        .timed, .remember:
        break
      }
    }
  }
}

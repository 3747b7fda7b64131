package import Geodesy
package import LinuxIO
import LocationIPC
import LocationReplay
package import LocationdService

/// Plays a recording to the service as if it happened now: its devices appear, their ports open, and their bytes arrive
/// at the recorded intervals. In virtual time the replay is as fast as the bytes can be decoded; in real time it has
/// the recording's pace.
package final class ReplayPortDriver: PortDriver {
  /// The time after the last event at which the recording ends, so that its last epoch is completed.
  private static let tail: Duration = .seconds(1)
  /// Maximum number of events played before signals and timers are handled.
  private static let eventsATurn = 1024

  /// How long to wait before checking again whether a consumer that was behind has caught up.
  private static let pause: Duration = .milliseconds(5)

  private let loop: EventLoop
  private let events: RecordedEvents
  private let isRealtime: Bool
  private unowned let runner: ServiceRunner
  private unowned let consumer: any ReplayConsumer
  private var sources: [String: Int] = [:]
  private var links: [Int: LinkID] = [:]
  private var next: RecordedEvents.Event?
  /// The time of the recording's start; `nil` before a port is open.
  private var origin: Instant?
  private var virtualTime: VirtualTime
  private var latestArrival: Duration = .zero
  private var isOver = false

  /// The current time of a replay in virtual time, which the core's clock also reads.
  package final class VirtualTime {
    package var now: Instant
    package init(now: Instant) { self.now = now }
  }

  package init(
    loop: EventLoop, runner: ServiceRunner, events: RecordedEvents, isRealtime: Bool, virtualTime: VirtualTime,
    consumer: any ReplayConsumer
  ) {
    self.consumer = consumer
    self.loop = loop
    self.runner = runner
    self.events = events
    self.isRealtime = isRealtime
    self.virtualTime = virtualTime
  }

  /// Reports the devices at the start of the recording.
  package func begin() {
    var hasDevice = false
    reading: while let event = events.next() {
      next = event
      switch event.event {
      case .device(let device):
        report(device, source: event.source)
        hasDevice = true
      case .start, .speed, .scan: continue
      case .bytes, .gone: break reading
      }
      next = nil
    }
    if !hasDevice { report(nil, source: next?.source ?? 1) }
    runner.handle(.inventoryComplete)
  }

  private func report(_ device: CapturedDevice?, source: Int) {
    var detectedDevice = DetectedDevice(received: device, id: "replay-\(source)", path: device?.path ?? events.path)
    detectedDevice.isSimulated = true
    detectedDevice.recording = events.path
    sources[detectedDevice.id] = source
    runner.handle(.deviceAppeared(detectedDevice))
  }

  // MARK: - PortDriver

  package func open(_ id: LinkID, _ device: DetectedDevice) {
    if let source = sources[device.id] { links[source] = id }
    runner.handle(.opened(id, baud: nil))
    guard origin == nil else { return }
    origin = virtualOrRealNow
    schedule()
  }

  package func close(_ id: LinkID) {}
  package func setSpeed(_ id: LinkID, baud: Int) {}
  package func write(_ id: LinkID, _ bytes: [UInt8]) {}

  // MARK: - Playing

  private var virtualOrRealNow: Instant { isRealtime ? loop.now : virtualTime.now }

  /// When the next event or the end of the recording is due; `nil` before a port is open, and once the recording is over.
  private var due: Instant? {
    guard let origin, !isOver else { return nil }
    return origin + (next?.arrival ?? latestArrival + Self.tail)
  }

  private func schedule() {
    let turn = isRealtime ? due : due ?? runner.nextDeadline == nil ? nil : loop.now
    guard let turn else { return }
    loop.schedule(at: turn) { [unowned self] in play() }
  }

  private func play() {
    guard isRealtime || !consumer.isBehind else {
      loop.schedule(at: loop.now + Self.pause) { [unowned self] in play() }
      return
    }
    var left = Self.eventsATurn
    while left > 0, !loop.isStopping, isRealtime ? isDue : leap() {
      if let due, due <= virtualOrRealNow { step() }
      left -= 1
    }
    schedule()
  }

  private var isDue: Bool { due.map { $0 <= loop.now } ?? false }

  /// Advances virtual time to the earliest of the next event, the core's deadline and the gate's deadline; returns `false`
  /// if there is neither an event nor a deadline of the core.
  private func leap() -> Bool {
    let deadline = runner.nextDeadline
    if let gate = due == nil ? nil : consumer.gateDeadline, gate <= deadline ?? gate, due.map({ gate < $0 }) ?? false {
      virtualTime.now = max(virtualTime.now, gate)
      consumer.wakeGate()
      return true
    }
    if let due, deadline.map({ due <= $0 }) ?? true {
      virtualTime.now = max(virtualTime.now, due)
      return true
    }
    guard let deadline else { return false }
    virtualTime.now = max(virtualTime.now, deadline)
    runner.handle(.wake)
    return true
  }

  private func step() {
    guard let event = next else {
      isOver = true
      for link in links.values.sorted(by: { $0.rawValue < $1.rawValue }) {
        runner.handle(.ended(link, problem: events.problem))
      }
      return
    }
    latestArrival = event.arrival
    switch event.event {
    case .bytes(let bytes):
      if let link = links[event.source] { runner.receive(bytes.span, on: link) }
    case .gone:
      if let link = links[event.source] { runner.handle(.closed(link)) }
    case .device(let device): report(device, source: event.source)
    case .start, .speed, .scan: break
    }
    next = events.next()
  }
}

/// The consumers that a replay in virtual time must not outrun.
package protocol ReplayConsumer: AnyObject {
  /// Whether a consumer that must receive everything is still behind.
  var isBehind: Bool { get }
  /// The next deadline of the gate between the service and its clients. Not used once the recording is over, because time ends
  /// with it.
  var gateDeadline: Instant? { get }
  /// Called when the time of `gateDeadline` has come.
  func wakeGate()
}

import GNSSReceiver
import Geodesy
import LocationReplay
import TestSupport
import Testing
import WireFormats

/// A simulated receiver and a session at the two ends of a serial line, in virtual time.
struct SessionBench {
  private(set) var receiver: SimulatedReceiver
  private(set) var session: ReceiverSession
  /// All actions of the session, with their times since power-on.
  private(set) var said: [(at: Duration, action: ReceiverSession.Action)] = []
  /// The time at which each piece came from the receiver.
  private(set) var received: [Duration] = []
  /// The baud rate of the port on the session's side, if it differs from the receiver's; `nil`: a port without a baud rate.
  private var portSpeed: Int?
  private var now = Self.powerOn

  static let powerOn = Instant(nanoseconds: 1_000_000_000_000)

  /// Both are switched on at the same time; the port has the baud rate `portSpeed`.
  init(_ configuration: SimulatedReceiver.Configuration, _ settings: ReceiverSettings, portSpeed: Int? = 9600) {
    receiver = SimulatedReceiver(configuration)
    session = ReceiverSession(settings)
    self.portSpeed = settings.hasLineSpeed ? portSpeed : nil
    receive(session.handle(.opened(baud: self.portSpeed), at: now))
    deliver(receiver.handle(.powered, at: now))
  }

  /// Whether the session asks for leap seconds.
  var asksLeapSeconds: Bool {
    get { session.asksLeapSeconds }
    set { session.asksLeapSeconds = newValue }
  }

  /// The default settings of a session in these tests.
  static func settings(
    _ change: (inout ReceiverSettings) -> Void = { _ in }
  ) -> ReceiverSettings {
    var settings = ReceiverSettings(device: "/dev/ttyACM0")
    settings.hasLineSpeed = false
    settings.eraFloor = CalendarDate(year: 2026, month: 1, day: 1)
    change(&settings)
    return settings
  }

  /// Lets both run until `elapsed` after power-on.
  mutating func run(until elapsed: Duration) {
    let end = Self.powerOn + elapsed
    while let next = [receiver.nextDeadline, session.nextDeadline].compactMap({ $0 }).min(), next <= end {
      now = max(now, next)
      if let deadline = receiver.nextDeadline, deadline <= now { deliver(receiver.handle(.wake, at: now)) }
      if let deadline = session.nextDeadline, deadline <= now {
        receive(session.handle(.wake, at: now))
        guard let moved = session.nextDeadline, moved <= now else { continue }
        Issue.record("the session's deadline stands still at \(now - Self.powerOn)")
        return
      }
    }
    now = end
  }

  /// Sends the session an input of the service.
  mutating func send(_ input: ReceiverSession.Input) { receive(session.handle(input, at: now)) }

  /// The receiver loses power for an instant; the port stays open.
  mutating func interruptPower() {
    deliver(receiver.handle(.unplugged, at: now))
    deliver(receiver.handle(.powered, at: now))
  }

  /// Another program sends the receiver a command; all programs receive the answer.
  mutating func command(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) {
    let frame = UBXFrame.encode(class: messageClass, id: id, payload: payload)
    deliver(receiver.handle(.received(frame), at: now))
  }

  /// The data for a session that requests assistance; `nil`: there is no answer. The time is added if `tellsTime`.
  var help: ReceiverAssistance?
  var tellsTime = true

  /// Passes bytes to the session that the receiver never sent.
  mutating func inject(_ bytes: [UInt8]) { receive(session.receive(bytes.span, at: now)) }

  /// The pending restore, as it was saved before the receiver was changed.
  private(set) var pendingDeliveries: SavedReceiverConfiguration?
  private(set) var timesOwed = 0
  /// The pending restore that an earlier session has left.
  var inherited: SavedReceiverConfiguration?

  /// Begins another session with the same receiver, whose state is unchanged.
  mutating func begin(_ settings: ReceiverSettings) {
    session = ReceiverSession(settings)
    receive(session.handle(.opened(baud: portSpeed), at: now))
  }

  // MARK: - Recorded actions

  var epochs: [GNSSEpoch] {
    said.compactMap { if case .epoch(let epoch) = $0.action { epoch } else { nil } }
  }
  var complete: [GNSSEpoch] { epochs.filter { $0.stage == .complete } }
  var fixes: [PositionFix] { complete.compactMap(\.fix) }
  /// The times of the complete epochs.
  var completeAt: [Duration] {
    said.compactMap { if case .epoch(let epoch) = $0.action, epoch.stage == .complete { $0.at } else { nil } }
  }
  var written: [[UInt8]] {
    said.compactMap { if case .write(let bytes) = $0.action { bytes } else { nil } }
  }
  var states: [LinkState] {
    said.compactMap { if case .stateChanged(let state) = $0.action { state } else { nil } }
  }
  /// The time of the first such action; `nil`: there was none.
  func first(_ matches: (ReceiverSession.Action) -> Bool) -> Duration? { said.first { matches($0.action) }?.at }

  // MARK: -

  private mutating func deliver(_ actions: [SimulatedReceiver.Action]) {
    for case .send(let bytes) in actions {
      let talked = receiver.configuration.baud
      let garbled = LineGarbler.garble(bytes, talked: talked, received: portSpeed ?? talked)
      received.append(now - Self.powerOn)
      receive(session.receive(garbled.span, at: now))
    }
  }

  private mutating func receive(_ actions: [ReceiverSession.Action]) {
    for action in actions {
      said.append((now - Self.powerOn, action))
      switch action {
      case .setSpeed(let baud): portSpeed = baud
      case .write(let bytes): deliver(receiver.handle(.received(bytes), at: now))
      case .recall:
        guard var help else { break }
        if tellsTime { help.utc = receiver.configuration.startTime + (now - Self.powerOn) }
        send(.help(help))
      case .recallSettings: send(.restore(inherited))
      case .persistRestore(_, let settings):
        pendingDeliveries = settings
        timesOwed += 1
      case .epoch, .identified, .storeAssistance, .released, .speedFound, .stateChanged, .nothingReceived, .leapSeconds,
        .nextPulse, .reopen:
        break
      }
    }
  }
}

extension SimulatedReceiver.Configuration {
  /// A configuration of `dialect` with changes.
  static func of(_ dialect: Dialect, _ change: (inout Self) -> Void = { _ in }) -> Self {
    var configuration = Self()
    configuration.dialect = dialect
    change(&configuration)
    return configuration
  }
}

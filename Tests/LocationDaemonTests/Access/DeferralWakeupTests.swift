import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// How often a tracker is woken that defers its updates, counted through the gate and the sessions of both sides.
@Suite struct DeferralWakeupTests {
  private static let tracker = ClientID.process(2)
  private static let begin = Instant(nanoseconds: 1_000_000_000_000)
  private static let limits = DeferralLimits(timeout: .seconds(900))

  /// The daemon and one client, and the socket between them, where what is written arrives at once.
  private struct Connection {
    private var gate = AccessGate(key: nil)
    private var server = ServerSession(release: "1", at: DeferralWakeupTests.begin)
    private var client = ClientSession(ClientHello(name: "tracker"), path: "/socket", seed: 1)
    private var lastCall: UInt32 = 1
    private(set) var (writes, wakeups, timers) = (0, 0, 0)
    private(set) var received: [PositionFix] = []
    private(set) var ends = 0

    mutating func start(at now: Instant) {
      apply(.loaded([], isOn: true), at: now)
      let service = AuthorizationClient(
        ClientIdentity(userID: 0), privilege: .administrator, presence: .background, canReturn: false, name: "tracker")
      apply(.arrived(DeferralWakeupTests.tracker, service), at: now)
      ask(.startUpdates(RequestID(1), UpdateOptions(waitsForSource: true)), at: now)
      deferUpdates(at: now)
      for action in client.handle(.connected, at: now) { execute(action, at: now) }
      exchange(at: now)
      (writes, wakeups) = (0, 0)
    }

    mutating func send(_ fix: PositionFix, at now: Instant) {
      if let deadline = gate.nextPauseDeadline, deadline < now {
        timers += 1
        apply(.wake, at: deadline)
        exchange(at: deadline)
      }
      let update = ServiceEvent.update(RequestID(1), fix, age: .zero)
      if let event = gate.passing(update, to: DeferralWakeupTests.tracker, at: now) {
        _ = server.handle(.send(event), at: now)
      }
      if gate.isWakeDue { apply(.wake, at: now) }
      // The service reports each change of the radius.
      let progress = LocationProgress.converging(radius68Meters: fix.horizontalRadius68.value)
      apply(.event(DeferralWakeupTests.tracker, .progress(RequestID(1), progress)), at: now)
      exchange(at: now)
    }

    private mutating func apply(_ input: AccessGate.Input, at now: Instant) {
      for case .send(_, let event) in gate.handle(input, at: now, clock: nil) {
        _ = server.handle(.send(event), at: now)
      }
    }

    /// Passes bytes until both sides are silent.
    private mutating func exchange(at now: Instant) {
      while !server.isSettled {
        let bytes = server.unsent
        writes += 1
        wakeups += 1
        _ = server.handle(.sent(bytes.count), at: now)
        for action in client.handle(.received(bytes), at: now) { execute(action, at: now) }
      }
    }

    private mutating func ask(_ request: ClientRequest, at now: Instant) {
      for action in client.handle(.request(request), at: now) { execute(action, at: now) }
    }

    private mutating func deferUpdates(at now: Instant) {
      lastCall += 1
      ask(.deferUpdates(RequestID(lastCall), of: RequestID(1), DeferralWakeupTests.limits), at: now)
    }

    private mutating func execute(_ action: ClientSession.Action, at now: Instant) {
      switch action {
      case .send(let bytes):
        for case .request(let request) in server.handle(.received(bytes), at: now) {
          apply(.request(DeferralWakeupTests.tracker, request), at: now)
        }
      case .deliver(.batch(_, let batch, _)): received += batch.fixes
      case .deliver(.update(_, let fix, _)): received.append(fix)
      case .deliver(.done):
        ends += 1
        deferUpdates(at: now)
      case .deliver, .connect, .disconnect: break
      }
    }
  }

  private func drive(_ second: Int) -> PositionFix {
    var fix = fix(north: 12.3 * Double(second))
    fix.receivedAt = Self.begin + .seconds(second) + .milliseconds(80)
    fix.time = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64(second) * 1_000_000_000)
    fix.heightAboveEllipsoid = Meters(450 + Double(second % 7))
    fix.horizontalRadius68 = Meters(3 + Double(second % 5) / 10)
    fix.speedMetersPerSecond = 12.3
    return fix
  }

  /// One hour at 1 Hz with a call of 15 minutes after the other: the figures of the promise.
  @Test func anHourWakesTheClientFourTimes() {
    var connection = Connection()
    connection.start(at: Self.begin)
    for second in 1...3600 { connection.send(drive(second), at: Self.begin + .seconds(second) + .milliseconds(80)) }
    #expect(connection.writes <= 5, "\(connection.writes) writes")
    #expect(connection.wakeups <= 8, "\(connection.wakeups) wakeups")
    #expect(connection.ends == 4)
    // The deadlines are the daemon's only further wakeups.
    #expect(connection.timers <= 4)
    // Nothing is lost and nothing is repeated; the last call has just begun.
    #expect(connection.received.count >= 3599)
    #expect(connection.received.map(\.receivedAt) == (1...connection.received.count).map { drive($0).receivedAt })
  }
}

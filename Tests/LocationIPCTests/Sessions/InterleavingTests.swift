import Geodesy
import LocationIPC
import LocationPolicy
import Testing

/// A client and a service that is restarted, in every possible order of events: nothing is lost, and nothing is delivered twice.
@Suite struct InterleavingTests {
  /// One event.
  enum Step: CaseIterable {
    case askForOne, cancelOne, startStream, cancelStream
    /// The service's receiver has a fix.
    case fix
    /// The service's stream is lost, or back.
    case change
    /// The service is killed, and everything that was in transit is lost.
    case kill
    /// Time passes; the client may reconnect.
    case pause
    /// The bytes in the socket arrive at the service, or at the client.
    case carryUp, carryDown
  }

  @Test func everyOrderOfFiveThingsFromTheBeginning() { #expect(explore(World(), 5) > 1000) }

  /// From the state in which both requests are pending, and the stream has had a fix.
  @Test func everyOrderOfSixThingsInTheMidst() {
    var world = World()
    for step in [Step.askForOne, .startStream, .carryUp, .carryDown, .carryUp] { world.receive(step) }
    #expect(explore(world, 6) > 10_000)
  }

  /// Returns the number of orders.
  private func explore(_ beginning: World, _ depth: Int) -> Int {
    var count = 0
    var failures = 0
    func explore(_ world: World, _ depth: Int) {
      if depth == 0 {
        count += 1
        var last = world
        last.settle()
        if !last.complaints.isEmpty, failures < 5 {
          failures += 1
          Issue.record("\(last.history): \(last.complaints)")
        }
        return
      }
      for step in Step.allCases where world.allows(step) {
        var next = world
        next.receive(step)
        explore(next, depth - 1)
      }
    }
    explore(beginning, depth)
    return count
  }
}

/// The client's session, the service's session, and the bytes between them.
private struct World {
  private static let one = RequestID(1)
  private static let stream = RequestID(2)

  private var now = Instant(nanoseconds: 1_000_000_000_000)
  private var client = ClientSession(ClientHello(name: "test"), path: "/socket", seed: 3)
  private var service: ServerSession?
  private var (up, down): ([UInt8], [UInt8]) = ([], [])
  /// The requests that are pending in the service.
  private var open: Set<RequestID> = []
  private var isServiceLost = false
  private var second: Int64 = 0
  private var (hasAskedOne, hasCancelledOne, hasStarted, hasCancelledStream) = (false, false, false, false)
  // What the client has received.
  private var answers = 0
  private var isLost = false
  private var newest: Int64 = 0
  private(set) var complaints: [String] = []
  private(set) var history: [InterleavingTests.Step] = []

  init() { connect() }

  func allows(_ step: InterleavingTests.Step) -> Bool {
    switch step {
    case .askForOne: !hasAskedOne
    case .cancelOne: hasAskedOne && !hasCancelledOne
    case .startStream: !hasStarted
    case .cancelStream: hasStarted && !hasCancelledStream
    case .fix: !open.isEmpty
    case .change: open.contains(Self.stream)
    case .kill: service != nil
    case .pause: true
    case .carryUp: !up.isEmpty && service != nil
    case .carryDown: !down.isEmpty
    }
  }

  mutating func receive(_ step: InterleavingTests.Step) {
    history.append(step)
    switch step {
    case .askForOne:
      hasAskedOne = true
      feed(.request(.locate(Self.one, OneShotOptions(timeout: .seconds(1000)))))
    case .cancelOne:
      hasCancelledOne = true
      feed(.request(.cancel(Self.one)))
    case .startStream:
      hasStarted = true
      feed(.request(.startUpdates(Self.stream, UpdateOptions())))
    case .cancelStream:
      hasCancelledStream = true
      feed(.request(.cancel(Self.stream)))
    case .fix: tellFix()
    case .change:
      isServiceLost.toggle()
      send(.streamChanged(Self.stream, isServiceLost ? .lost : .back))
    case .kill:
      service = nil
      open = []
      (up, down) = ([], [])
      feed(.lost)
    case .pause:
      now = now + .seconds(1)
      feed(.wake)
    case .carryUp: carryUp()
    case .carryDown: carryDown()
    }
  }

  /// In the end, a service runs, and the pending requests are answered.
  mutating func settle() {
    // A client without requests does not connect.
    let wantsOne = hasAskedOne && !hasCancelledOne && answers == 0
    guard wantsOne || hasStarted && !hasCancelledStream else { return }
    for _ in 0..<40 where !client.isServing || !up.isEmpty || !down.isEmpty || service == nil {
      now = now + .seconds(31)
      feed(.wake)
      carryUp()
      carryDown()
    }
    let before = newest
    tellFix()
    carryDown()
    if hasAskedOne, !hasCancelledOne, answers != 1 { complaints.append("\(answers) answers") }
    if hasStarted, !hasCancelledStream, newest <= before { complaints.append("the stream is dead") }
    if hasStarted, !hasCancelledStream, isLost { complaints.append("fixes come and it is lost") }
  }

  // MARK: -

  private mutating func connect() {
    service = ServerSession(release: "1", at: now)
    isServiceLost = false
    (up, down) = ([], [])
    feed(.connected)
  }

  private mutating func feed(_ input: ClientSession.Input) {
    for action in client.handle(input, at: now) {
      switch action {
      case .connect: connect()
      case .disconnect: service = nil
      case .send(let bytes): if service != nil { up += bytes }
      case .deliver(let event): receive(event)
      }
    }
  }

  private mutating func receive(_ event: ServiceEvent) {
    switch event {
    case .located(Self.one, _, _, _):
      answers += 1
      if answers > 1 { complaints.append("answered twice") }
      if hasCancelledOne { complaints.append("answered after it was cancelled") }
    case .update(Self.stream, let fix, _):
      let second = fix.time.nanosecondsSince1970
      if second <= newest { complaints.append("fix \(second) after \(newest)") }
      newest = second
      if isLost { complaints.append("a fix before it is back") }
      if hasCancelledStream { complaints.append("a fix after it was cancelled") }
    case .streamChanged(Self.stream, .lost):
      if isLost { complaints.append("lost twice") }
      isLost = true
    case .streamChanged(Self.stream, .back):
      if !isLost { complaints.append("back from nowhere") }
      isLost = false
    default: complaints.append("heard \(event)")
    }
  }

  private mutating func carryUp() {
    guard var session = service else { return }
    let bytes = up
    up = []
    for action in session.handle(.received(bytes), at: now) {
      switch action {
      case .greeted: break
      case .request(.cancel(let id)): open.remove(id)
      case .request(let request): open.insert(request.id)
      case .disconnect(let refusal): complaints.append("let go: \(refusal)")
      }
    }
    service = session
    write()
  }

  private mutating func carryDown() {
    let bytes = down
    down = []
    if !bytes.isEmpty { feed(.received(bytes)) }
  }

  private mutating func tellFix() {
    second += 1
    let fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: second), timeValidity: .confirmed, receivedAt: now,
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(4), kind: .threeDimensional, technologies: .gnss)
    if open.remove(Self.one) != nil { send(.located(Self.one, fix, age: .zero, isCached: false)) }
    guard open.contains(Self.stream) else { return }
    if isServiceLost {
      isServiceLost = false
      send(.streamChanged(Self.stream, .back))
    }
    send(.update(Self.stream, fix, age: .zero))
  }

  private mutating func send(_ event: ServiceEvent) {
    _ = service?.handle(.send(event), at: now)
    write()
  }

  private mutating func write() {
    guard let bytes = service?.unsent, !bytes.isEmpty else { return }
    down += bytes
    _ = service?.handle(.sent(bytes.count), at: now)
    write()
  }
}

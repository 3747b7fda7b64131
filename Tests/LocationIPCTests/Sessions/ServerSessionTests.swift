import Geodesy
import LocationIPC
import LocationPolicy
import Testing

/// The service's session with one client, without a socket.
@Suite struct ServerSessionTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func session(_ change: (inout ServerSession.Limits) -> Void = { _ in }) -> ServerSession {
    var limits = ServerSession.Limits()
    change(&limits)
    return ServerSession(release: "1", limits: limits, at: start)
  }

  /// A session that has received a greeting and has written its own.
  private func greeted(_ change: (inout ServerSession.Limits) -> Void = { _ in }) -> ServerSession {
    var session = session(change)
    _ = session.handle(.received(hello()), at: start)
    _ = session.handle(.sent(session.unsent.count), at: start)
    return session
  }

  private func hello(_ versions: ClosedRange<UInt16> = ProtocolVersion.spoken) -> [UInt8] {
    ClientMessage.hello(ClientHello(versions: versions, name: "test")).frame
  }

  private func bytes(_ request: ClientRequest) -> [UInt8] { ClientMessage.request(request).frame }

  /// The bytes that wait to be written, as messages.
  private func reported(_ session: ServerSession) throws -> [ServerMessage] {
    var reader = FrameReader(limit: MessageLimits.event)
    reader.push(session.unsent[...])
    var messages: [ServerMessage] = []
    while let message = try read(&reader) { messages.append(message) }
    return messages
  }

  private func read(_ reader: inout FrameReader) throws -> ServerMessage? {
    guard let payload = try reader.next() else { return nil }
    return try ServerMessage(payload.span)
  }

  private func fix(_ second: Int64) -> PositionFix {
    PositionFix(
      time: GNSSTime(nanosecondsSince1970: second * 1_000_000_000), timeValidity: .confirmed, receivedAt: start,
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(4), kind: .threeDimensional, technologies: .gnss)
  }

  @Test func whatComesBehindTheGreetingInOneWriteIsTaken() throws {
    let request = ClientRequest.locate(RequestID(1), OneShotOptions())
    var session = session()
    #expect(
      session.handle(.received(hello() + bytes(request)), at: start)
        == [.greeted(ClientHello(name: "test")), .request(request)])
    // No request is accepted from a client with another version.
    var other = self.session()
    #expect(
      other.handle(.received(hello(4...5) + bytes(request)), at: start)
        == [.disconnect(.unsupportedVersion(oldest: 2, newest: 3))])
  }

  /// The first write of `locationctl status` of release 0.1.0, as recorded: its greeting and its request.
  @Test func aClientOfRelease010IsRefusedOnceWithTheVersions() throws {
    let purpose = Array("for a command in a terminal or a script".utf8)
    let greeting: [UInt8] =
      [0x6A, 0, 0, 0, 0x01, 0x08, 0x01, 0x10, 0x01, 0x1A, 0x0B] + Array("locationctl".utf8)
      + [0x22, 0x56, 0x0A, 0x27] + purpose + [0x12, 0x27] + purpose + [0x20, 0, 0x28, 0]
    let status: [UInt8] = [3, 0, 0, 0, 0x09, 0x08, 0x01]
    var session = ServerSession(release: "1", at: start)
    #expect(
      session.handle(.received(greeting + status), at: start) == [
        .disconnect(.unsupportedVersion(oldest: 2, newest: 3))
      ])
    // When that release reads this frame, it prints: "The location service uses versions 2 to 3 of the protocol, which
    // this locationctl does not support".
    #expect(session.unsent == [7, 0, 0, 0, 0x02, 0x08, 0, 0x10, 2, 0x18, 3])
    #expect(session.handle(.received(status), at: start) == [])
  }

  @Test func aGreetingIsAnsweredWithTheNewestVersionThatBothSpeak() throws {
    for (ours, theirs, common) in [(1...1, 1...1, 1), (1...2, 1...1, 1), (1...2, 2...3, 2), (2...3, 1...2, 2)]
      as [(
        ClosedRange<UInt16>, ClosedRange<UInt16>, UInt16
      )]
    {
      var session = ServerSession(versions: ours, release: "1", at: start)
      let actions = session.handle(.received(hello(theirs)), at: start)
      #expect(actions == [.greeted(ClientHello(versions: theirs, name: "test"))])
      #expect(try reported(session) == [.hello(ServerHello(version: common, release: "1", present: start))])
    }
  }

  @Test func anUnknownVersionIsRefusedWithTheSupportedOnes() throws {
    var session = ServerSession(versions: 1...2, release: "1", at: start)
    let refusal = DisconnectReason.unsupportedVersion(oldest: 1, newest: 2)
    #expect(session.handle(.received(hello(3...4)), at: start) == [.disconnect(refusal)])
    #expect(try reported(session) == [.refused(refusal)])
    #expect(!session.isOver)
    _ = session.handle(.sent(session.unsent.count), at: start)
    #expect(session.isOver)
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [1, 0, 0, 0, 99], [3, 0, 0, 0, 9, 8, 1], [0, 0x10, 0x10, 0],
    ] as [[UInt8]]) func invalidGreetingIsRefused(bytes: [UInt8])
  {
    var session = session()
    #expect(session.handle(.received(bytes), at: start) == [.disconnect(.brokenProtocol)])
  }

  @Test func aRequestComesOutHoweverItsBytesWereCut() {
    let request = ClientRequest.locate(RequestID(7), OneShotOptions())
    var session = session()
    var actions: [ServerSession.Action] = []
    for byte in hello() + bytes(request) { actions += session.handle(.received([byte]), at: start) }
    #expect(actions == [.greeted(ClientHello(name: "test")), .request(request)])
  }

  @Test func clientsThatStallInTheGreetingOrAMessageAreDisconnected() {
    var silent = session()
    #expect(silent.nextDeadline == start + .seconds(10))
    #expect(silent.handle(.wake, at: start + .seconds(9)) == [])
    #expect(silent.handle(.wake, at: start + .seconds(10)) == [.disconnect(.tooQuiet)])

    var half = greeted()
    #expect(half.nextDeadline == nil)
    #expect(half.handle(.received([9, 0]), at: start + .seconds(20)) == [])
    #expect(half.nextDeadline == start + .seconds(30))
    #expect(half.handle(.wake, at: start + .seconds(30)) == [.disconnect(.tooQuiet)])
  }

  @Test func moreMessagesThanTheRateAreTooMany() {
    var session = greeted {
      $0.messagesPerSecond = 10
      $0.burst = 5
    }
    // The greeting was the first of the five messages.
    for number in 1...4 {
      #expect(session.handle(.received(bytes(.cancel(RequestID(UInt32(number))))), at: start) == [])
    }
    let later = start + .milliseconds(100)
    #expect(session.handle(.received(bytes(.cancel(RequestID(5)))), at: later) == [])
    #expect(
      session.handle(.received(bytes(.cancel(RequestID(6)))), at: later) == [
        .disconnect(.tooManyMessages(perSecond: 10))
      ])
  }

  @Test func oneRequestTooManyIsAnsweredAndTheOthersGoOn() throws {
    var session = greeted { $0.requests = 2 }
    for number: UInt32 in 1...2 {
      _ = session.handle(.received(bytes(.watchSky(RequestID(number), waitsForSource: true))), at: start)
    }
    #expect(session.handle(.received(bytes(.listDevices(RequestID(3)))), at: start) == [])
    #expect(try reported(session) == [.event(.failed(RequestID(3), .tooManyRequests(limit: 2)))])
    _ = session.handle(.sent(session.unsent.count), at: start)
    // An answer frees a place.
    _ = session.handle(.send(.failed(RequestID(1), .noSource)), at: start)
    #expect(
      session.handle(.received(bytes(.listDevices(RequestID(3)))), at: start) == [.request(.listDevices(RequestID(3)))])
  }

  @Test func twoRequestsOfOneNumberBreakTheProtocol() {
    var session = greeted()
    _ = session.handle(.received(bytes(.watchSky(RequestID(1), waitsForSource: true))), at: start)
    #expect(session.handle(.received(bytes(.listDevices(RequestID(1)))), at: start) == [.disconnect(.brokenProtocol)])
  }

  @Test func nothingIsReportedOfWhatWasCancelled() {
    var session = greeted()
    _ = session.handle(.received(bytes(.startUpdates(RequestID(1), UpdateOptions()))), at: start)
    #expect(session.handle(.received(bytes(.cancel(RequestID(1)))), at: start) == [.request(.cancel(RequestID(1)))])
    _ = session.handle(.send(.update(RequestID(1), fix(1), age: .zero)), at: start)
    #expect(session.isSettled)
  }

  @Test func aSlowClientGetsTheNewestFixAndEveryAnswer() throws {
    var session = greeted()
    _ = session.handle(.received(bytes(.startUpdates(RequestID(1), UpdateOptions()))), at: start)
    _ = session.handle(.received(bytes(.listDevices(RequestID(2)))), at: start)
    for second: Int64 in 1...100 {
      _ = session.handle(.send(.update(RequestID(1), fix(second), age: .zero)), at: start)
      if second == 50 { _ = session.handle(.send(.devices(RequestID(2), [])), at: start) }
    }
    #expect(
      try reported(session) == [
        .event(.devices(RequestID(2), [])), .event(.update(RequestID(1), fix(100), age: .zero)),
      ])
  }

  @Test func aMessageThatHasBegunToBeSentIsSentToItsEnd() throws {
    var session = greeted()
    _ = session.handle(.received(bytes(.startUpdates(RequestID(1), UpdateOptions()))), at: start)
    _ = session.handle(.send(.update(RequestID(1), fix(1), age: .zero)), at: start)
    let first = Array(session.unsent.prefix(10))
    _ = session.handle(.sent(10), at: start)
    _ = session.handle(.send(.update(RequestID(1), fix(2), age: .zero)), at: start)
    _ = session.handle(.send(.update(RequestID(1), fix(3), age: .zero)), at: start)
    var reader = FrameReader(limit: MessageLimits.event)
    reader.push((first + session.unsent)[...])
    #expect(try read(&reader) == .event(.update(RequestID(1), fix(1), age: .zero)))
    #expect(try read(&reader) == .event(.update(RequestID(1), fix(3), age: .zero)))
    #expect(try read(&reader) == nil)
  }

  @Test func aLossAndAReturnThatNoOneHasReceivedAreNoChange() throws {
    var session = greeted()
    _ = session.handle(.received(bytes(.startUpdates(RequestID(1), UpdateOptions()))), at: start)
    for change in [StreamChange.lost, .back, .lost] {
      _ = session.handle(.send(.streamChanged(RequestID(1), change)), at: start)
    }
    #expect(try reported(session) == [.event(.streamChanged(RequestID(1), .lost))])
  }

  @Test func clientsThatStallOrOverflowTheirQueueAreDisconnected() {
    var stalled = greeted()
    _ = stalled.handle(.received(bytes(.startUpdates(RequestID(1), UpdateOptions()))), at: start)
    _ = stalled.handle(.send(.update(RequestID(1), fix(1), age: .zero)), at: start)
    _ = stalled.handle(.send(.update(RequestID(1), fix(2), age: .zero)), at: start + .seconds(59))
    #expect(stalled.nextDeadline == start + .seconds(60))
    #expect(stalled.handle(.wake, at: start + .seconds(60)) == [.disconnect(.tooSlow)])

    var full = greeted { $0.waitingBytes = 100 }
    _ = full.handle(.received(bytes(.trustDevice(RequestID(1), selector: "x"))), at: start)
    let long = LocationFailure.unknownDevice(selector: "x", known: [String(repeating: "x", count: 150)])
    #expect(full.handle(.send(.failed(RequestID(1), long)), at: start) == [.disconnect(.tooSlow)])
  }

  @Test func theFarewellHasItsTime() {
    var session = greeted()
    #expect(session.handle(.refuse(.stopping), at: start) == [.disconnect(.stopping)])
    #expect(session.handle(.received(bytes(.listDevices(RequestID(1)))), at: start) == [])
    #expect(session.nextDeadline == start + .seconds(1))
    _ = session.handle(.wake, at: start + .seconds(1))
    #expect(session.isOver)
    #expect(session.nextDeadline == nil)
  }
}

import Geodesy
import LocationIPC
import LocationPolicy
import Testing

/// A client's session, without a socket.
@Suite struct ClientSessionTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let stream = ClientRequest.startUpdates(RequestID(1), UpdateOptions())
  private let longing = ClientRequest.locate(RequestID(3), OneShotOptions(timeout: .seconds(1000)))

  private func session() -> ClientSession {
    ClientSession(ClientHello(versions: 1...1, name: "test"), path: "/socket", seed: 7)
  }

  /// A session whose service has sent its greeting.
  private func serving() -> ClientSession {
    var session = session()
    greet(&session, at: start)
    return session
  }

  private func greet(_ session: inout ClientSession, at now: Instant) {
    _ = session.handle(.connected, at: now)
    _ = session.handle(.received(greeting(at: now)), at: now)
  }

  private func greeting(_ version: UInt16 = 1, at now: Instant) -> [UInt8] {
    ServerMessage.hello(ServerHello(version: version, release: "1", present: now)).frame
  }

  private func bytes(_ request: ClientRequest) -> [UInt8] { ClientMessage.request(request).frame }
  private func bytes(_ event: ServiceEvent) -> [UInt8] { ServerMessage.event(event).frame }

  private func fix(_ second: Int64) -> PositionFix {
    PositionFix(
      time: GNSSTime(nanosecondsSince1970: second * 1_000_000_000), timeValidity: .confirmed, receivedAt: start,
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(4), kind: .threeDimensional, technologies: .gnss)
  }

  @Test func whatWasAskedGoesWithTheGreetingAndDoesNotWaitForItsAnswer() {
    var session = session()
    let hello = ClientMessage.hello(ClientHello(versions: 1...1, name: "test")).frame
    #expect(session.handle(.request(stream), at: start) == [])
    #expect(session.handle(.connected, at: start) == [.send(hello + bytes(stream))])
    let sky = ClientRequest.watchSky(RequestID(3), waitsForSource: true)
    #expect(session.handle(.request(sky), at: start) == [.send(bytes(sky))])
    #expect(session.handle(.received(greeting(at: start)), at: start) == [])
    #expect(
      session.handle(.request(.listDevices(RequestID(2))), at: start) == [.send(bytes(.listDevices(RequestID(2))))])
  }

  private let deferral = ClientRequest.deferUpdates(
    RequestID(5), of: RequestID(1), DeferralLimits(timeout: .seconds(900)))

  /// What the service held is lost, so the call fails, and the stream continues at once.
  @Test func aDeferralEndsWithTheConnection() throws {
    var session = serving()
    #expect(session.handle(.request(stream), at: start) == [.send(bytes(stream))])
    #expect(session.handle(.request(deferral), at: start) == [.send(bytes(deferral))])
    let batch = ServiceEvent.batch(RequestID(1), FixBatch([fix(1), fix(2)]), age: .zero)
    #expect(session.handle(.received(bytes(batch)), at: start) == [.deliver(batch)])
    let failed = ClientSession.Action.deliver(.failed(RequestID(5), .deferral(.failed)))
    #expect(session.handle(.lost, at: start) == [failed])
    // Without a connection, a further call fails at once.
    #expect(session.handle(.request(deferral), at: start) == [failed])
    let next = try #require(session.nextDeadline)
    #expect(session.handle(.wake, at: next) == [.connect])
    let hello = ClientMessage.hello(ClientHello(versions: 1...1, name: "test")).frame
    #expect(session.handle(.connected, at: next) == [.send(hello + bytes(stream))])
    #expect(session.handle(.received(greeting(at: next)), at: next) == [])
    // A fix that was delivered before the loss, as the last of the batch.
    let (known, new) = (
      ServiceEvent.update(RequestID(1), fix(2), age: .zero), ServiceEvent.update(RequestID(1), fix(3), age: .zero)
    )
    #expect(session.handle(.received(bytes(known)), at: next) == [])
    #expect(session.handle(.received(bytes(new)), at: next) == [.deliver(new)])
  }

  @Test func aDeferralEndsWhenTheServiceStops() {
    var session = serving()
    _ = session.handle(.request(stream), at: start)
    _ = session.handle(.request(deferral), at: start)
    let batch = ServiceEvent.batch(RequestID(1), FixBatch([fix(1)]), age: .zero)
    let end = bytes(batch) + ServerMessage.refused(.stopping).frame
    #expect(
      session.handle(.received(end), at: start) == [
        .deliver(batch), .disconnect, .deliver(.failed(RequestID(5), .deferral(.failed))),
      ])
  }

  /// In a container, the clock of the service may be another one.
  @Test func theTimesOfABatchAreThoseOfThisClock() {
    var session = session()
    _ = session.handle(.connected, at: start)
    _ = session.handle(.received(greeting(at: start - .seconds(1000))), at: start)
    _ = session.handle(.request(stream), at: start)
    var shifted = fix(1)
    shifted.receivedAt = start + .seconds(1000)
    #expect(
      session.handle(.received(bytes(.batch(RequestID(1), FixBatch([fix(1)]), age: .zero))), at: start)
        == [.deliver(.batch(RequestID(1), FixBatch([shifted]), age: .zero))])
  }

  @Test func theWaitsBetweenTriesDoubleUpToHalfAMinute() throws {
    var session = session()
    _ = session.handle(.request(longing), at: start)
    var now = start
    var waits: [Double] = []
    for _ in 0..<14 {
      #expect(session.handle(.lost, at: now) == [])
      let until = try #require(session.nextDeadline)
      waits.append((until - now).inSeconds)
      #expect(session.handle(.wake, at: until - .nanoseconds(1)) == [])
      #expect(session.handle(.wake, at: until) == [.connect])
      now = until
    }
    for (index, wait) in waits.enumerated() {
      let whole = min(0.1 * Double(1 << index), 30)
      #expect((whole / 2...whole).contains(wait))
    }
    #expect(Set(waits).count == waits.count)
  }

  @Test func aRequestGoesOnWithWhatIsLeftOfItsTime() throws {
    var session = serving()
    let locate = ClientRequest.locate(RequestID(3), OneShotOptions(timeout: .seconds(60)))
    _ = session.handle(.request(locate), at: start)
    _ = session.handle(.lost, at: start + .seconds(10))
    let again = try #require(session.nextDeadline)
    #expect(session.handle(.wake, at: again) == [.connect])
    let hello = ClientMessage.hello(ClientHello(versions: 1...1, name: "test")).frame
    let left = ClientRequest.locate(RequestID(3), OneShotOptions(timeout: .seconds(40)))
    #expect(session.handle(.connected, at: start + .seconds(20)) == [.send(hello + bytes(left))])
  }

  @Test func aRequestWhoseTimeIsOverWithoutAServiceSaysSoOnce() {
    var session = serving()
    _ = session.handle(.request(.locate(RequestID(3), OneShotOptions(timeout: .seconds(60)))), at: start)
    _ = session.handle(.lost, at: start + .seconds(1))
    let failed = ClientSession.Action.deliver(.failed(RequestID(3), .serviceLost(path: "/socket")))
    #expect(session.handle(.wake, at: start + .seconds(60)).filter { $0 == failed }.count == 1)
    #expect(!session.handle(.wake, at: start + .seconds(61)).contains(failed))
  }

  @Test func aStreamIsLostOnceAndBackOnceWhicheverServiceSaysIt() {
    var session = serving()
    _ = session.handle(.request(stream), at: start)
    #expect(
      session.handle(.received(bytes(.update(RequestID(1), fix(1), age: .zero))), at: start)
        == [.deliver(.update(RequestID(1), fix(1), age: .zero))])
    _ = session.handle(.received(bytes(.streamChanged(RequestID(1), .lost))), at: start)
    // The service that reported the loss is gone; the next one knows nothing about it.
    _ = session.handle(.lost, at: start)
    #expect(
      session.handle(.wake, at: start + .seconds(10)) == [.connect], "it is lost already")
    greet(&session, at: start + .seconds(10))
    #expect(
      session.handle(.received(bytes(.update(RequestID(1), fix(2), age: .zero))), at: start + .seconds(10))
        == [.deliver(.streamChanged(RequestID(1), .back)), .deliver(.update(RequestID(1), fix(2), age: .zero))])
  }

  @Test func aStreamWhoseServiceStaysAwayIsLost() {
    var session = serving()
    _ = session.handle(.request(stream), at: start)
    _ = session.handle(.received(bytes(.update(RequestID(1), fix(1), age: .zero))), at: start)
    _ = session.handle(.lost, at: start)
    #expect(
      session.handle(.wake, at: start + .seconds(3)) == [.deliver(.streamChanged(RequestID(1), .lost)), .connect])
  }

  @Test func aDeliveredFixIsNotRepeatedByTheNextService() {
    var session = serving()
    _ = session.handle(.request(stream), at: start)
    _ = session.handle(.received(bytes(.update(RequestID(1), fix(1), age: .zero))), at: start)
    _ = session.handle(.lost, at: start)
    _ = session.handle(.wake, at: start + .seconds(1))
    greet(&session, at: start + .seconds(1))
    #expect(session.handle(.received(bytes(.update(RequestID(1), fix(1), age: .seconds(1)))), at: start) == [])
    #expect(
      session.handle(.received(bytes(.update(RequestID(1), fix(2), age: .zero))), at: start)
        == [.deliver(.update(RequestID(1), fix(2), age: .zero))])
  }

  @Test func aServiceThatEndsIsComeBackToAndOneThatRefusesIsNot() {
    var stopped = serving()
    _ = stopped.handle(.request(stream), at: start)
    #expect(stopped.handle(.received(ServerMessage.refused(.stopping).frame), at: start) == [.disconnect])
    #expect(stopped.handle(.wake, at: start + .seconds(1)).contains(.connect))

    var refused = session()
    _ = refused.handle(.request(stream), at: start)
    _ = refused.handle(.connected, at: start)
    let refusal = DisconnectReason.unsupportedVersion(oldest: 2, newest: 3)
    #expect(
      refused.handle(.received(ServerMessage.refused(refusal).frame), at: start)
        == [.disconnect, .deliver(.failed(RequestID(1), .serviceRefused(refusal)))])
    #expect(refused.nextDeadline == nil)
    #expect(
      refused.handle(.request(.listDevices(RequestID(2))), at: start)
        == [.deliver(.failed(RequestID(2), .serviceRefused(refusal)))])
  }

  @Test(arguments: [[0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0, 77], Array("HTTP/1.1 400".utf8)] as [[UInt8]])
  func invalidServicesAreNotContactedAgain(bytes: [UInt8]) {
    var session = session()
    _ = session.handle(.request(stream), at: start)
    _ = session.handle(.connected, at: start)
    let actions = session.handle(.received(bytes), at: start)
    #expect(actions.first == .disconnect)
    guard case .deliver(.failed(RequestID(1), .serviceUnreadable))? = actions.last else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test func aServiceThatDoesNotGreetIsLeft() {
    var session = session()
    _ = session.handle(.request(longing), at: start)
    _ = session.handle(.connected, at: start)
    #expect(session.handle(.wake, at: start + .seconds(5)) == [.disconnect])
    #expect(session.handle(.wake, at: start + .seconds(6)) == [.connect])
  }

  @Test func whereNothingIsWantedTheServiceIsNotLookedForUntilSomethingIs() {
    var session = serving()
    #expect(session.handle(.lost, at: start) == [])
    #expect(session.nextDeadline == nil)
    #expect(session.handle(.wake, at: start + .seconds(60)) == [])
    #expect(session.handle(.request(stream), at: start + .seconds(90)) == [])
    #expect(session.nextDeadline.map { $0 <= start + .seconds(90) } == true)
    #expect(session.handle(.wake, at: start + .seconds(90)) == [.connect])
  }

  @Test func aStreamThatHasHadNothingIsLostWithItsServiceToo() {
    var session = session()
    _ = session.handle(.request(stream), at: start)
    _ = session.handle(.connected, at: start)
    // The service accepts the connection, and never sends its greeting.
    #expect(session.handle(.wake, at: start + .seconds(5)) == [.disconnect])
    let actions = session.handle(.wake, at: start + .seconds(8))
    #expect(actions == [.deliver(.streamChanged(RequestID(1), .lost)), .connect])
  }

  @Test func impatientRequestsStillWaitForTheGreeting() {
    var session = session()
    let last = ClientRequest.locate(RequestID(3), OneShotOptions(timeout: .zero, acceptsLastKnown: true))
    _ = session.handle(.request(last), at: start)
    #expect(session.handle(.wake, at: start) == [])
    let hello = ClientMessage.hello(ClientHello(versions: 1...1, name: "test")).frame
    #expect(session.handle(.connected, at: start) == [.send(hello + bytes(last))])
    #expect(session.handle(.received(greeting(at: start)), at: start) == [])
    #expect(session.handle(.received(bytes(.failed(RequestID(3), .noSource))), at: start).count == 1)
  }

  @Test func aServiceThatStallsIsLeftAndItsRequestAnswered() {
    var session = serving()
    _ = session.handle(.request(.locate(RequestID(3), OneShotOptions(timeout: .seconds(60)))), at: start)
    #expect(session.nextDeadline == start + .seconds(65))
    #expect(session.handle(.wake, at: start + .seconds(64)) == [])
    #expect(
      session.handle(.wake, at: start + .seconds(65))
        == [.disconnect, .deliver(.failed(RequestID(3), .serviceSilent(path: "/socket")))])
  }

  /// The failure of a request with a timeout of five seconds after `obstacles`, one per second.
  private func failure(after obstacles: [[ClientSession.Input]]) -> LocationFailure? {
    var session = session()
    _ = session.handle(.request(.locate(RequestID(3), OneShotOptions(timeout: .seconds(5)))), at: start)
    var now = start
    var reported: [ClientSession.Action] = []
    for inputs in obstacles {
      for input in inputs { reported += session.handle(input, at: now) }
      now = now + .seconds(1)
      reported += session.handle(.wake, at: now)
    }
    reported += session.handle(.wake, at: start + .seconds(5))
    let failures = reported.compactMap {
      if case .deliver(.failed(RequestID(3), let failure)) = $0 { failure } else { nil }
    }
    #expect(failures.count == 1)
    return failures.first
  }

  @Test func theLastConnectionFailureIsReported() {
    let full = DisconnectReason.tooManyClients(limit: 256)
    let refused: [ClientSession.Input] = [.connected, .received(ServerMessage.refused(full).frame)]
    #expect(failure(after: [[.lost], [.lost]]) == .serviceLost(path: "/socket"))
    #expect(failure(after: [[.busy], [.busy]]) == .serviceBusy(path: "/socket"))
    #expect(failure(after: [refused, refused]) == .serviceRefused(full))
    #expect(failure(after: [refused, [.busy]]) == .serviceBusy(path: "/socket"))
    #expect(failure(after: [[.connected]]) == .serviceSilent(path: "/socket"))
    #expect(failure(after: [[.connected, .lost]]) == .serviceSilent(path: "/socket"))
    #expect(failure(after: [[.busy], [.lost]]) == .serviceLost(path: "/socket"))
  }

  @Test func theReasonOfARefusalIsKnownUntilTheNextGreeting() {
    var session = session()
    _ = session.handle(.request(longing), at: start)
    _ = session.handle(.connected, at: start)
    let full = DisconnectReason.tooManyClients(limit: 256)
    _ = session.handle(.received(ServerMessage.refused(full).frame), at: start)
    #expect(session.refusal == full)
    #expect(session.handle(.wake, at: start + .seconds(1)) == [.connect])
    greet(&session, at: start + .seconds(1))
    #expect(session.refusal == nil)
  }

  @Test func arrivalsAreReportedByTheClientsOwnClock() {
    var session = session()
    _ = session.handle(.request(stream), at: start)
    _ = session.handle(.connected, at: start)
    // A container whose boot clock is one hour ahead of the machine's.
    _ = session.handle(.received(greeting(at: start - .seconds(3600))), at: start)
    var theirs = fix(1)
    theirs.receivedAt = start - .seconds(3600)
    #expect(
      session.handle(.received(bytes(.update(RequestID(1), theirs, age: .zero))), at: start)
        == [.deliver(.update(RequestID(1), fix(1), age: .zero))])
  }
}

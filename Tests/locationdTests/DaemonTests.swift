import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import TestSupport
import Testing

/// The daemon as a process with real sockets.
@Suite(.serialized) struct DaemonTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func updates(_ client: RawClient, _ count: Int) throws -> [PositionFix] {
    var fixes: [PositionFix] = []
    while fixes.count < count {
      let event = try #require(try client.nextEvent())
      if case .update(_, let fix, _) = event { fixes.append(fix) }
    }
    return fixes
  }

  private func status(_ client: RawClient, _ request: UInt32) throws -> ServiceStatus {
    client.send(.request(.status(RequestID(request))))
    while let event = try client.nextEvent() {
      if case .status(RequestID(request), let status) = event { return status }
    }
    throw RawClient.NoAnswer()
  }

  @Test func twoClientsShareOneReceiverWhichIsClosedWhenBothHaveGone() throws {
    let daemon = try RunningDaemon.listening(at: place)
    var first: RawClient? = try RawClient.greeted(place, name: "first")
    var second: RawClient? = try RawClient.greeted(place, name: "second")
    for client in [first, second] { client?.send(.request(.startUpdates(RequestID(1), UpdateOptions()))) }
    let (a, b) = (try updates(try #require(first), 2), try updates(try #require(second), 2))
    #expect(Set(a.map(\.time)).intersection(b.map(\.time)).count >= 1)
    try daemon.awaitLine("is open")

    let requester = try RawClient.greeted(place, name: "asker")
    let busy = try status(requester, 1)
    #expect(busy.clients.map(\.name) == ["first", "second", "asker"])
    #expect(busy.clients.map(\.streams) == [1, 1, 0])
    #expect(busy.clients.map(\.processID) == Array(repeating: getpid(), count: 3))
    #expect(busy.devices.map(\.state) == [.fixing])
    #expect(busy.source == "simulator")

    first = nil
    // The other stream continues.
    _ = try updates(try #require(second), 1)
    second = nil
    try daemon.awaitLine("is closed")
    #expect(try status(requester, 2).devices.map(\.state) == [.closed])
  }

  @Test func aStreamGoesOnWhenTheDaemonIsKilledAndComesBack() throws {
    var daemon: RunningDaemon? = try RunningDaemon.listening(at: place)
    let loop = try EventLoop()
    let client = try SocketClient(loop: loop, path: place.socket, hello: ClientHello(name: "test"))
    var times: [GNSSTime] = []
    var before = 0
    var failures: [LocationFailure] = []
    let receiver = EventReceiver { event in
      switch event {
      case .update(_, let fix, _):
        times.append(fix.time)
        if times.count == 2 {
          daemon?.send(SIGKILL)
          _ = daemon?.end()
          daemon = try? RunningDaemon.listening(at: place)
          before = times.count
        }
        if before > 0, times.count >= before + 2 { loop.stop() }
      case .failed(_, let failure):
        failures.append(failure)
        loop.stop()
      default: break
      }
    }
    client.send(.startUpdates(RequestID(1), UpdateOptions()))
    client.begin(for: receiver)
    // A guard against hanging, not a measurement.
    loop.schedule(at: loop.now + .seconds(60)) { loop.stop() }
    try withExtendedLifetime(receiver) { try loop.run() }
    #expect(failures == [])
    #expect(times.count == 4)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func invalidMessageIsAnsweredWithAWordAndTheOthersAreServed() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let good = try RawClient.greeted(place)
    good.send(.request(.startUpdates(RequestID(1), UpdateOptions())))

    let garbage = try RawClient(place)
    garbage.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(try garbage.next() == .refused(.brokenProtocol))
    #expect(try garbage.next() == nil)

    let oversize = try RawClient.greeted(place)
    oversize.send([0, 0, 16, 0])
    #expect(try oversize.next() == .refused(.brokenProtocol))
    #expect(try oversize.next() == nil)

    let old = try RawClient(place)
    old.send(.hello(ClientHello(versions: 900...901, name: "future")))
    let spoken = ProtocolVersion.spoken
    #expect(
      try old.next() == .refused(.unsupportedVersion(oldest: spoken.lowerBound, newest: spoken.upperBound)))
    #expect(try old.next() == nil)

    let flood = try RawClient.greeted(place)
    // In one write: of many small writes, the kernel would buffer too few.
    flood.send((0..<1000).flatMap { ClientMessage.request(.cancel(RequestID($0))).frame })
    #expect(try flood.next() == .refused(.tooManyMessages(perSecond: 200)))

    let half = try RawClient.greeted(place)
    half.send([50, 0, 0, 0, 2])
    #expect(try updates(good, 2).count == 2)
    try daemon.awaitLine("it supports none of the protocol versions 2 to 3")
  }

  @Test func itEndsWithAWordAndTakesItsSocketAway() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let client = try RawClient.greeted(place)
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    _ = try updates(client, 1)
    daemon.send(SIGTERM)
    var last: ServerMessage?
    while let message = try client.next() { last = message }
    #expect(last == .refused(.stopping))
    #expect(daemon.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: place.socket))
  }

  @Test func aSocketThatWasLeftBehindIsTakenOverAndOneThatIsServedIsNot() throws {
    let killed = try RunningDaemon.listening(at: place)
    let mode = try FileManager.default.attributesOfItem(atPath: place.socket)[.posixPermissions] as? Int
    #expect(mode == (geteuid() == 0 ? 0o666 : 0o600))
    killed.send(SIGKILL)
    #expect(killed.end() == -SIGKILL)
    #expect(FileManager.default.fileExists(atPath: place.socket))

    let daemon = try RunningDaemon.listening(at: place)
    let second = try RunningDaemon(at: place)
    #expect(second.end() == 75)
    #expect(second.rest().contains { $0.contains("Another locationd uses that socket") })
    _ = try RawClient.greeted(place)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func aFileInItsPlaceStays() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place.socket))
    let daemon = try RunningDaemon(at: place)
    #expect(daemon.end() == 73)
    #expect(try String(contentsOfFile: place.socket, encoding: .utf8) == "mine")
  }

  @Test func badArgumentsAreReportedAsSuch() throws {
    for (arguments, status) in [
      (["--nonsense"], 64), (["--source", "tea"], 64), (["--source"], 64), (["--replay", "/nonexistent"], 65),
    ] as [([String], Int32)] {
      #expect(try RunningDaemon(arguments, at: place).end() == status, "\(arguments)")
    }
  }
}

/// Receives the events of one client.
private final class EventReceiver: SocketClientObserver {
  private let body: (ServiceEvent) -> Void

  init(_ body: @escaping (ServiceEvent) -> Void) { self.body = body }

  func receive(_ event: ServiceEvent) { body(event) }
  func receive(_ refusal: DisconnectReason) {}
}

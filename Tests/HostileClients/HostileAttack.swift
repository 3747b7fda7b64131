import Geodesy
import Glibc
import LinuxIO
import LocationIPC
import LocationPolicy
import Regions

enum HostileKind: String {
  case silent, mute, updates, fixes, skies, churn, connects, regions
}

/// The attack of one user, from its beginning to its end.
struct HostileAttack {
  /// The counts of the service's answers.
  struct Outcome: CustomStringConvertible {
    var (served, refused, failed) = (0, 0, 0)
    var description: String { "served=\(served) refused=\(refused) failed=\(failed)" }
  }

  /// The number of requests on one connection.
  private static let requests = 64
  private static let regionsInARequest = 56

  private let kind: HostileKind
  private let address: UnixAddress
  private let connections: Int
  private var clients: [HostileClient?] = []
  private var nextRequest: UInt32 = 0
  private(set) var outcome = Outcome()

  init(_ kind: HostileKind, address: UnixAddress, connections: Int) {
    (self.kind, self.address, self.connections) = (kind, address, connections)
    clients = Array(repeating: nil, count: connections)
  }

  /// Starts the attack and waits for the first answers.
  mutating func begin() {
    guard kind != .connects else { return }
    for index in clients.indices {
      connect(index)
      receive(index, waitsFor: 0)
    }
    let patience: Int32 = kind == .mute ? 0 : kind == .regions ? 5000 : 300
    for index in clients.indices {
      receive(index, waitsFor: patience)
      // The service answers the greeting at once, but may read a request only after the user has waited for the
      // processor time of earlier requests.
      for _ in 0..<10 where clients[index]?.hasUnanswered ?? false { receive(index, waitsFor: patience) }
    }
  }

  mutating func advance() {
    switch kind {
    case .connects:
      for _ in 0..<100 { _ = try? UnixStream(connectingTo: address) }
      return
    case .churn: for index in clients.indices { churn(index) }
    case .regions: for index in clients.indices { addRegions(index) }
    case .silent, .mute, .updates, .fixes, .skies: break
    }
    for index in clients.indices {
      // A client that was disconnected connects again.
      if clients[index] == nil { connect(index) }
      receive(index, waitsFor: 0)
    }
    if kind != .churn, kind != .regions { usleep(20_000) }
  }

  // MARK: -

  private mutating func connect(_ index: Int) {
    guard let client = HostileClient(address) else { return }
    clients[index] = client
    guard kind != .mute else { return }
    client.send(ClientMessage.hello(ClientHello(name: "hostile")).frame)
    switch kind {
    case .updates, .fixes, .skies: for _ in 0..<Self.requests { client.send(ClientMessage.request(request()).frame) }
    case .regions: addRegions(index)
    case .silent, .mute, .churn, .connects: break
    }
  }

  private mutating func request() -> ClientRequest {
    nextRequest += 1
    let id = RequestID(nextRequest)
    switch kind {
    case .fixes:
      return .locate(id, OneShotOptions(desiredRadius68: Meters(0.0001), timeout: .seconds(1_000_000)))
    case .skies: return .watchSky(id, waitsForSource: true)
    default: return .startUpdates(id, UpdateOptions(waitsForSource: true, whenNotDetermined: .waits))
    }
  }

  private mutating func churn(_ index: Int) {
    guard let client = clients[index] else { return }
    let request = request()
    client.send(ClientMessage.request(request).frame)
    client.send(ClientMessage.request(.cancel(request.id)).frame)
  }

  private mutating func addRegions(_ index: Int) {
    guard let client = clients[index], !client.hasUnanswered else { return }
    nextRequest += 1
    let name = String(repeating: "x", count: 980)
    let regions = (0..<Self.regionsInARequest).compactMap { number -> MonitoredRegion? in
      guard let center = Coordinate(checkingLatitude: 47 + Double(number) / 100, longitude: 8),
        let circle = try? CircleShape(center: center, radius: Meters(100)),
        let region = try? Region(identifier: "\(nextRequest)-\(number)-\(name)", shape: .circle(circle))
      else { return nil }
      return MonitoredRegion(region)
    }
    client.hasUnanswered = true
    client.send(
      ClientMessage.request(.monitoring(RequestID(nextRequest), .add(list: "hostile", regions, outlives: true))).frame)
  }

  private mutating func receive(_ index: Int, waitsFor milliseconds: Int32) {
    guard let client = clients[index] else { return }
    let isOpen = client.drain(waitsFor: milliseconds) { message in
      switch message {
      case .refused: outcome.refused += 1
      case .event(.failed):
        outcome.failed += 1
        client.hasUnanswered = false
      case .event(.done):
        outcome.served += kind == .regions ? Self.regionsInARequest : 1
        client.hasUnanswered = false
      case .event: outcome.served += 1
      case .hello: break
      }
    }
    if !isOpen { clients[index] = nil }
  }
}

/// One connection to the service.
final class HostileClient {
  private let stream: UnixStream
  private var reader = FrameReader(limit: MessageLimits.event)
  /// Whether the service has not answered a request yet.
  var hasUnanswered = false

  init?(_ address: UnixAddress) {
    guard let stream = try? UnixStream(connectingTo: address) else { return nil }
    self.stream = stream
  }

  /// Sends as many of the bytes as the socket accepts.
  func send(_ bytes: [UInt8]) { _ = stream.write(bytes[...]) }

  /// Reads everything that has arrived; `false` if the service has closed the connection.
  func drain(waitsFor milliseconds: Int32, _ receive: (ServerMessage) -> Void) -> Bool {
    var patience = milliseconds
    while true {
      do throws(MessageError) {
        while let payload = try reader.next() { receive(try ServerMessage(payload.span)) }
      } catch {
        return false
      }
      var wait = pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, patience) == 1 else { return true }
      patience = 0
      var buffer = [UInt8](repeating: 0, count: 16_384)
      guard case .bytes(let count) = stream.read(into: &buffer) else { return false }
      reader.push(buffer[..<count])
    }
  }
}

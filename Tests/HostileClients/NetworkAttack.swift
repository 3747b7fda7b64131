import Glibc
import LinuxIO

/// Clients of gpsd's port that try to get positions without access: `hostile-clients HOST:PORT USER KIND COUNT` makes COUNT connections
/// as that user, prints `positions=N closed=N refused=N bytes=N` and stays connected until its input ends.
///
/// - `tcp-watch`: watch, and keep the connections
/// - `tcp-half`: watch, and close the sending direction at once
/// - `tcp-reset`: watch, and reset the connection at once
/// - `tcp-early`: connect and close
/// - `tcp-post`: a web page's POST, its body in a segment of its own
/// - `tcp-tls`: the beginning of a TLS connection
/// - `tcp-drip`: watch, byte by byte
/// - `tcp-poll`: poll again and again
struct NetworkAttack {
  enum Kind: String {
    case watch = "tcp-watch"
    case half = "tcp-half"
    case reset = "tcp-reset"
    case early = "tcp-early"
    case post = "tcp-post"
    case tls = "tcp-tls"
    case drip = "tcp-drip"
    case poll = "tcp-poll"
  }

  private static let watch = "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true}\n"
  private static let browser =
    "POST / HTTP/1.1\r\nHost: 127.0.0.1:2947\r\nContent-Type: text/plain\r\nContent-Length: 40\r\n\r\n"

  private let kind: Kind
  private let address: NetworkAddress
  private var connections: [Client] = []
  private var (positions, closed, refused, bytes) = (0, 0, 0, 0)

  private final class Client {
    let connection: TCPConnection
    var received: [UInt8] = []
    var isOver = false

    init?(_ address: NetworkAddress) {
      guard let connection = try? TCPConnection(to: address) else { return nil }
      self.connection = connection
    }

    func wait(_ events: Int32, _ milliseconds: Int32) -> Bool {
      var state = pollfd(fd: connection.descriptor, events: Int16(events), revents: 0)
      return unsafe poll(&state, 1, milliseconds) == 1
    }

    func send(_ text: String) { _ = connection.write(Array(text.utf8)) }

    /// Reads until nothing has come for this time.
    func receive(for milliseconds: Int32) {
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while !isOver, wait(POLLIN, milliseconds) {
        switch connection.read(into: &buffer) {
        case .bytes(let count): received += buffer[..<count]
        case .wouldBlock: return
        case .endOfFile, .failed: isOver = true
        }
      }
    }
  }

  private static func address(_ place: String) -> NetworkAddress? {
    guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]) else {
      return nil
    }
    return NetworkAddress(numeric: place[..<colon].trimmingBrackets, port: port)
  }

  /// Copies between the port and the standard streams until either ends.
  static func copy(_ place: String) {
    guard let address = address(place), let connection = try? TCPConnection(to: address) else { exit(69) }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var states = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&states, 2, -1) > 0 {
      if states[0].revents != 0 {
        let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return }
        _ = connection.write(Array(buffer[..<count]))
      }
      guard states[1].revents != 0 else { continue }
      guard case .bytes(let count) = connection.read(into: &buffer) else { return }
      _ = StandardOutput.write(Array(buffer[..<count]))
    }
  }

  init?(_ kind: String, at place: String, connections: Int) {
    guard let kind = Kind(rawValue: kind), let address = Self.address(place) else { return nil }
    (self.kind, self.address) = (kind, address)
    for _ in 0..<connections { attack() }
    receive(for: kind == .early || kind == .reset ? 0 : 20)
  }

  var outcome: String { "positions=\(positions) closed=\(closed) refused=\(refused) bytes=\(bytes)" }

  /// Receives what comes without a request, and counts it.
  mutating func receive(for milliseconds: Int32 = 5) {
    for client in connections {
      client.receive(for: milliseconds)
      let text = String(decoding: client.received, as: UTF8.self)
      positions += text.matches("\"lat\":") + text.matches("GGA,") - text.matches("GGA,,")
      refused += text.matches("too many clients")
      bytes += client.received.count
      client.received = []
    }
    closed += connections.count { $0.isOver }
    connections.removeAll { $0.isOver }
  }

  private mutating func attack() {
    guard let client = Client(address), client.wait(POLLOUT, 5000) else { return }
    switch kind {
    case .watch: client.send(Self.watch)
    case .half:
      client.send(Self.watch)
      shutdown(client.connection.descriptor, Int32(SHUT_WR))
    case .reset:
      client.send(Self.watch)
      var reset = Glibc.linger(l_onoff: 1, l_linger: 0)
      _ = unsafe setsockopt(
        client.connection.descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<Glibc.linger>.size))
      return
    case .early: return
    case .post:
      client.send(Self.browser)
      // The body comes in its own segment.
      usleep(2000)
      client.send(Self.watch)
    case .tls:
      _ = client.connection.write([0x16, 0x03, 0x01, 0x00, 0x20, 0x01, 0x00, 0x00, 0x1C, 0x03, 0x03])
      client.send(Self.watch)
    case .drip:
      for byte in Self.watch.utf8 {
        _ = client.connection.write([byte])
        usleep(200)
      }
    case .poll:
      client.send(Self.watch)
      for _ in 0..<10 { client.send("?POLL;\n?DEVICES;\n") }
    }
    connections.append(client)
  }
}

extension Substring {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
  }
}

extension String {
  fileprivate func matches(_ part: String) -> Int { ranges(of: part).count }
}

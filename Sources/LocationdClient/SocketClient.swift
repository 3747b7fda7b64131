import Geodesy
package import LinuxIO
package import LocationIPC

/// A client of the service behind a socket, on an event loop: feeds the session machine what comes, and performs what it
/// answers. It comes back by itself when the service does.
package final class SocketClient {
  /// Hears what the service tells.
  package var onEvent: ((ServiceEvent) -> Void)?
  /// Hears why the service lets this client go; it is come back to where that may help.
  package var onRefusal: ((Refusal) -> Void)?

  private let loop: EventLoop
  private let address: UnixAddress
  private var session: ClientSession
  private var connection: Connection?
  private var timer: TimerID?
  private var armedFor: Instant?
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  private final class Connection {
    let stream: UnixStream
    var watch: WatchID?
    /// What the socket has not taken yet.
    var unsent: [UInt8] = []
    /// More is not kept for a service that does not read: it is lost.
    static let mostUnsent = 1 << 20

    init(_ stream: consuming UnixStream) { self.stream = stream }
  }

  /// A client of the service at `path`, which has to be there now; later it may come and go. Nothing is said before `begin`.
  package init(loop: EventLoop, path: String, hello: ClientHello) throws(SystemError) {
    self.loop = loop
    address = try UnixAddress(path: path)
    let stream = try Self.connection(to: address)
    let seed = UInt64(bitPattern: MonotonicClock.now().nanoseconds) ^ UInt64(ProcessEnvironment.processID) << 32
    session = ClientSession(hello, path: path, seed: seed)
    if let stream { connection = Connection(stream) }
  }

  /// `nil`: a service is there that has no time for another now.
  private static func connection(to address: UnixAddress) throws(SystemError) -> UnixStream? {
    do throws(SystemError) {
      return try UnixStream(connectingTo: address)
    } catch {
      guard error.isBusy else { throw error }
      return nil
    }
  }

  /// Greets the service, and asks for all that was to be sent so far, in one write.
  package func begin() { greet() }

  deinit {
    drop()
    if let timer { loop.cancel(timer) }
  }

  /// Asks for something; the answer comes to `onEvent`, never from within this call.
  package func send(_ request: ClientRequest) { feed(.request(request)) }

  // MARK: -

  private func feed(_ input: ClientSession.Input) {
    let before = session.refusal
    let actions = session.handle(input, at: loop.now)
    // Why, before what comes of it.
    if let refusal = session.refusal, refusal != before { onRefusal?(refusal) }
    for action in actions {
      switch action {
      case .connect: connect()
      case .disconnect: drop()
      case .send(let bytes): write(bytes)
      case .tell(let event): onEvent?(event)
      }
    }
    arm()
  }

  private func connect() {
    do throws(SystemError) {
      adopt(try UnixStream(connectingTo: address))
    } catch {
      feed(error.isBusy ? .busy : .lost)
    }
  }

  private func adopt(_ stream: consuming UnixStream) {
    connection = Connection(stream)
    greet()
  }

  private func greet() {
    // `nil` only where the service had no time for another connection when this client was made.
    guard let connection else { return feed(.busy) }
    connection.watch = try? loop.watch(connection.stream.descriptor) { [unowned self] in ready($0) }
    // Without a watch nothing would ever be heard.
    if connection.watch == nil { drop() }
    feed(connection.watch == nil ? .lost : .connected)
  }

  private func drop() {
    if let watch = connection?.watch { loop.unwatch(watch) }
    connection = nil
  }

  private func lose() {
    drop()
    feed(.lost)
  }

  private func ready(_ readiness: Readiness) {
    if readiness.writable { flush() }
    guard readiness.readable || readiness.hangUp || readiness.error, let connection else { return }
    switch connection.stream.read(into: &buffer) {
    case .bytes(let count): feed(.received(Array(buffer[..<count])))
    case .wouldBlock: break
    case .endOfFile, .failed: lose()
    }
  }

  private func write(_ bytes: [UInt8]) {
    guard let connection else { return }
    connection.unsent += bytes
    flush()
  }

  private func flush() {
    guard let connection, let watch = connection.watch else { return }
    while !connection.unsent.isEmpty {
      switch connection.stream.write(connection.unsent[...]) {
      case .written(let count): connection.unsent.removeFirst(count)
      case .wouldBlock:
        loop.change(watch, to: [.readable, .writable])
        if connection.unsent.count > Connection.mostUnsent { lose() }
        return
      // What the service has said last is still to be read; then it is lost.
      case .failed:
        connection.unsent.removeAll()
        loop.change(watch, to: .readable)
        return
      }
    }
    loop.change(watch, to: .readable)
  }

  private func arm() {
    let deadline = session.nextDeadline
    guard deadline != armedFor else { return }
    armedFor = deadline
    if let timer { loop.cancel(timer) }
    timer = deadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in
        timer = nil
        armedFor = nil
        feed(.wake)
      }
    }
  }
}

/// A service may be there, and this process cannot reach it: that is final, and no other is tried in its place.
package struct BarredService: Error, Hashable, Sendable {
  /// Its socket.
  package let path: String
  /// What the kernel said.
  package let operation: String
  package let errno: Int32

  /// Whether this user may not speak to it; anything else may pass.
  package var isForbidden: Bool { cause.isPermission }
  package var cause: SystemError { SystemError(operation: operation, errno: errno) }
}

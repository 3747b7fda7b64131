import Geodesy
package import LinuxIO
package import LocationIPC

/// A client of the service behind a socket, on an event loop: passes received bytes to the session machine, and
/// executes the resulting actions. After a loss of the connection, it reconnects as long as requests are pending.
package final class SocketClient {
  /// `nil` before `begin`.
  private weak var observer: (any SocketClientObserver)?
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
    /// Bytes that the socket has not accepted yet.
    var unsent: [UInt8] = []
    /// Maximum number of unsent bytes: if the service does not read and more are waiting, the connection is dropped.
    static let mostUnsent = 1 << 20

    init(_ stream: consuming UnixStream) { self.stream = stream }
  }

  /// A client of the service at `path`, which must exist now but may disappear and return later. Nothing is sent before
  /// `begin`.
  package init(loop: EventLoop, path: String, hello: ClientHello) throws(SystemError) {
    self.loop = loop
    address = try UnixAddress(path: path)
    let stream = try Self.connection(to: address)
    let seed = UInt64(bitPattern: MonotonicClock.now().nanoseconds) ^ UInt64(ProcessEnvironment.processID) << 32
    session = ClientSession(hello, path: path, seed: seed)
    if let stream { connection = Connection(stream) }
  }

  /// `nil`: there is a service, but it is too busy for another connection.
  private static func connection(to address: UnixAddress) throws(SystemError) -> UnixStream? {
    do throws(SystemError) {
      return try UnixStream(connectingTo: address)
    } catch {
      guard error.isBusy else { throw error }
      return nil
    }
  }

  /// Sends the greeting and all requests made so far, in one write. If the service was too busy for another connection
  /// when this client was created, they are sent after a reconnection.
  package func begin(for observer: any SocketClientObserver) {
    self.observer = observer
    greet()
  }

  deinit {
    drop()
    if let timer { loop.cancel(timer) }
  }

  /// Sends a request; its answers go to the observer. During this call the observer receives at most a failure, if the
  /// service has disconnected this client permanently.
  package func send(_ request: ClientRequest) { handle(.request(request)) }

  // MARK: -

  private func handle(_ input: ClientSession.Input) {
    let before = session.refusal
    let actions = session.handle(input, at: loop.now)
    // The observer receives the reason before the events that follow from it.
    if let refusal = session.refusal, refusal != before { observer?.receive(refusal) }
    for action in actions {
      switch action {
      case .connect: connect()
      case .disconnect: drop()
      case .send(let bytes): write(bytes)
      case .deliver(let event): observer?.receive(event)
      }
    }
    arm()
  }

  private func connect() {
    do throws(SystemError) {
      adopt(try UnixStream(connectingTo: address))
    } catch {
      handle(error.isBusy ? .busy : .lost)
    }
  }

  private func adopt(_ stream: consuming UnixStream) {
    connection = Connection(stream)
    greet()
  }

  private func greet() {
    // `nil` only if the service was too busy for another connection when this client was created.
    guard let connection else { return handle(.busy) }
    connection.watch = try? loop.watch(connection.stream.descriptor) { [unowned self] in ready($0) }
    // Without a watch nothing would ever be received.
    if connection.watch == nil { drop() }
    handle(connection.watch == nil ? .lost : .connected)
  }

  private func drop() {
    if let watch = connection?.watch { loop.unwatch(watch) }
    connection = nil
  }

  private func lose() {
    drop()
    handle(.lost)
  }

  private func ready(_ readiness: Readiness) {
    if readiness.writable { flush() }
    guard readiness.readable || readiness.hangUp || readiness.error, let connection else { return }
    switch connection.stream.read(into: &buffer) {
    case .bytes(let count): handle(.received(Array(buffer[..<count])))
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
      // The last message of the service must still be read; then the connection is lost.
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
        handle(.wake)
      }
    }
  }
}

/// Receives what the service behind a socket sends to one client.
package protocol SocketClientObserver: AnyObject {
  func receive(_ event: ServiceEvent)
  /// The reason why the service disconnects this client; the client reconnects if that may help.
  func receive(_ refusal: DisconnectReason)
}

/// A service may be running, but this process cannot reach it. The error is final: no other service is tried.
package struct UnreachableService: Error, Hashable, Sendable {
  /// Path of the service's socket.
  package let path: String
  /// The system call that failed, and its errno.
  package let operation: String
  package let errno: Int32

  /// Whether this user has no permission to connect; any other cause may be temporary.
  package var isForbidden: Bool { cause.isPermission }
  package var cause: SystemError { SystemError(operation: operation, errno: errno) }
}

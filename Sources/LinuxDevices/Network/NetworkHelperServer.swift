import Geodesy
package import LinuxIO
import NetworkSources

/// The network helper: the one process of the service with access to networks beyond this machine. Each of its clients has one
/// connection, one listening address, one port for other machines or one target of datagrams, until either side closes.
package final class NetworkHelperServer {
  /// The most clients at a time: eight sources, eight targets, eight ports for other machines, one caster, and the lists of casters.
  package static let maximumClients = 32
  /// The helper keeps running this long after the last client.
  private static let idleTime: Duration = .seconds(10)

  private let loop: EventLoop
  private let listener: UnixListener?
  private let onIdle: () -> Void
  private var sessions: [UInt64: NetworkSession] = [:]
  private var nextSession: UInt64 = 1
  private var idleTimer: TimerID?

  /// - Parameter onIdle: called after ten seconds without clients.
  package init(loop: EventLoop, listener: consuming UnixListener, onIdle: @escaping () -> Void) throws(SystemError) {
    (self.loop, self.onIdle) = (loop, onIdle)
    let descriptor = listener.descriptor
    self.listener = consume listener
    _ = try loop.watch(descriptor) { [unowned self] _ in
      while let stream = try? self.listener?.accept() { accept(stream) }
    }
    waitIdle()
  }

  /// Serves only the client that started it.
  package init(loop: EventLoop, client: consuming UnixStream, onIdle: @escaping () -> Void) {
    (self.loop, self.onIdle) = (loop, onIdle)
    listener = nil
    accept(client)
  }

  private func accept(_ stream: consuming UnixStream) {
    guard sessions.count < Self.maximumClients else { return }
    let number = nextSession
    nextSession += 1
    let session = NetworkSession(loop: loop, stream: stream) { [unowned self] in end(number) }
    sessions[number] = session
    session.begin()
    waitIdle()
  }

  private func end(_ number: UInt64) {
    // Released after the turn in which the session has called this.
    guard let session = sessions.removeValue(forKey: number) else { return }
    loop.schedule(at: loop.now) { withExtendedLifetime(session) {} }
    waitIdle()
  }

  private func waitIdle() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = nil
    guard sessions.isEmpty else { return }
    let time: Duration = listener == nil ? .zero : Self.idleTime
    idleTimer = loop.schedule(at: MonotonicClock.now() + time) { [unowned self] in onIdle() }
  }
}

/// One client of the network helper.
final class NetworkSession: NetworkEndpointObserver {
  /// What waits for the client; above it, nothing is read from the peer.
  private static let mostOutgoing = 16_384
  /// The client sends its order at once.
  private static let patience: Duration = .seconds(5)

  private let loop: EventLoop
  private let stream: UnixStream
  private let onEnd: () -> Void
  private var watch: WatchID?
  private var timer: TimerID?
  private var reader = NetworkMessageReader()
  private var endpoint: (any NetworkEndpoint)?
  private var outgoing: ArraySlice<UInt8> = []
  private var rate = ByteRateLimit()
  private var rateTimer: TimerID?
  private var (isFull, isOver, hasFailed) = (false, false, false)
  private var droppedCount: UInt16 = 0
  private var buffer = [UInt8](repeating: 0, count: NetworkMessage.longest)

  init(loop: EventLoop, stream: consuming UnixStream, onEnd: @escaping () -> Void) {
    self.loop = loop
    self.stream = stream
    self.onEnd = onEnd
  }

  func begin() {
    watch = try? loop.watch(stream.descriptor) { [unowned self] readiness in
      if readiness.writable { flush() }
      if readiness.readable || readiness.hangUp || readiness.error { read() }
    }
    guard watch != nil else { return end() }
    timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in end() }
  }

  private func read() {
    guard !isOver else { return }
    switch stream.read(into: &buffer) {
    case .bytes(let count):
      for message in reader.push(buffer[..<count]) { receive(message) }
      if reader.isMalformed { end() }
    case .wouldBlock: break
    case .endOfFile, .failed: end()
    }
  }

  private func receive(_ message: NetworkMessage) {
    guard !isOver else { return }
    switch message {
    case .order(let order):
      guard endpoint == nil else { return end() }
      if let timer { loop.cancel(timer) }
      timer = nil
      let endpoint: any NetworkEndpoint =
        switch order {
        case .connect(let server, isEncrypted: false): StreamEndpoint(loop: loop, server: server, observer: self)
        case .connect(let server, isEncrypted: true): SecureEndpoint(loop: loop, server: server, observer: self)
        case .listen(let source) where source.isDatagram: DatagramEndpoint(loop: loop, source: source, observer: self)
        case .listen(let source): ListeningEndpoint(loop: loop, source: source, observer: self)
        case .accept(let source): AcceptingEndpoint(loop: loop, source: source, observer: self)
        case .send(let target): DatagramTargetEndpoint(target: target, observer: self)
        }
      self.endpoint = endpoint
      endpoint.begin()
    case .data(let bytes): endpoint?.send(bytes)
    case .connected, .failed, .dropped, .accepted: end()
    }
  }

  // MARK: - The endpoint

  func connected() { write(NetworkMessage.connected.bytes) }

  func received(_ bytes: ArraySlice<UInt8>) {
    if droppedCount > 0 {
      write(NetworkMessage.dropped(droppedCount).bytes)
      droppedCount = 0
    }
    let pause = rate.take(bytes.count, at: loop.now)
    write(NetworkMessage.pieces(of: bytes))
    guard pause > .zero, rateTimer == nil, !isOver else { return }
    endpoint?.pause()
    rateTimer = loop.schedule(at: loop.now + pause) { [unowned self] in
      rateTimer = nil
      resume()
    }
  }

  func dropped() { if droppedCount < .max { droppedCount += 1 } }

  func accepted(_ connection: borrowing TCPConnection) {
    // A client that does not read gets no connection, and the machine at its other end sees it closed.
    guard !isOver, outgoing.isEmpty else { return }
    if case .failed = stream.write(NetworkMessage.accepted.bytes, passing: connection) { end() }
  }

  func failed(_ problem: StreamProblem) {
    guard !hasFailed else { return }
    hasFailed = true
    endpoint?.close()
    write(NetworkMessage.failed(problem).bytes)
    if outgoing.isEmpty { end() }
  }

  private func resume() { if rateTimer == nil, !isFull { endpoint?.resume() } }

  // MARK: - The client

  private func write(_ bytes: [UInt8]) {
    guard !isOver else { return }
    outgoing += bytes
    flush()
    guard !isOver, outgoing.count > Self.mostOutgoing, !isFull else { return }
    isFull = true
    endpoint?.pause()
  }

  private func flush() {
    guard let watch else { return }
    while !outgoing.isEmpty {
      switch stream.write(outgoing) {
      case .written(let count): outgoing = outgoing.dropFirst(count)
      case .wouldBlock: return loop.change(watch, to: [.readable, .writable])
      case .failed: return end()
      }
    }
    outgoing = []
    if hasFailed { return end() }
    loop.change(watch, to: .readable)
    guard isFull else { return }
    isFull = false
    resume()
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    endpoint?.close()
    if let watch { loop.unwatch(watch) }
    watch = nil
    for case let timer? in [timer, rateTimer] { loop.cancel(timer) }
    (timer, rateTimer) = (nil, nil)
    onEnd()
  }
}

internal import Geodesy
package import LinuxIO
internal import Positioning
internal import WireFormats

/// The scan helper on an event loop: reads one order from each client, and answers it. It is started when somebody connects, and ends
/// when nobody has for a while.
package final class ScanHelperServer {
  /// Who is there at once; whoever comes beyond that is let go.
  package static let maximumClients = 8
  /// An order stands in the socket when its client has connected.
  private static let patience: Duration = .seconds(5)
  /// Scans wanted more often than this find it running.
  private static let idleTime: Duration = .seconds(10)

  private final class Client {
    let stream: UnixStream
    let watch: WatchID
    let timer: TimerID
    var received: [UInt8] = []

    init(stream: consuming UnixStream, watch: WatchID, timer: TimerID) {
      self.stream = stream
      self.watch = watch
      self.timer = timer
    }
  }

  private let loop: EventLoop
  private let listener: UnixListener
  private let onIdle: () -> Void
  private var socket: NetlinkSocket?
  private var decoder = NetlinkDecoder()
  private var commission = ScanCommission()
  private var clients: [UInt64: Client] = [:]
  private var nextClient: UInt64 = 1
  private var timer: EarliestTimer?
  private var idleTimer: TimerID?
  private var buffer = [UInt8](repeating: 0, count: NetlinkSocket.datagramSize)

  /// - Parameter onIdle: nobody has come for ten seconds.
  package init(
    loop: EventLoop, listener: consuming UnixListener, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.listener = listener
    self.onIdle = onIdle
    let socket = try NetlinkSocket()
    let descriptor = socket.fileDescriptor
    self.socket = consume socket
    timer = EarliestTimer(loop) { [unowned self] in handle(.deadlinePassed) }
    _ = try loop.watch(descriptor) { [unowned self] _ in receive() }
    _ = try loop.watch(self.listener.descriptor) { [unowned self] _ in accept() }
    waitIdle()
  }

  // MARK: Clients

  private func accept() {
    while let stream = try? listener.accept() {
      guard clients.count < Self.maximumClients else { continue }
      let number = nextClient
      nextClient += 1
      guard let watch = try? loop.watch(stream.descriptor, { [unowned self] _ in read(number) }) else { continue }
      let timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in drop(number) }
      clients[number] = Client(stream: stream, watch: watch, timer: timer)
    }
    waitIdle()
  }

  private func read(_ number: UInt64) {
    guard let client = clients[number] else { return }
    // One byte more than an order has: who sends that, at once or later, does not know what an order is.
    var bytes = [UInt8](repeating: 0, count: ScanOrder.size + 1)
    switch client.stream.read(into: &bytes) {
    case .bytes(let count):
      client.received += bytes[..<count]
      guard client.received.count >= ScanOrder.size else { return }
      guard let order = ScanOrder(client.received.span) else { return drop(number) }
      handle(.ordered(order, client: number))
    case .wouldBlock: break
    case .endOfFile, .failed: drop(number)
    }
  }

  private func drop(_ number: UInt64) {
    guard let client = clients.removeValue(forKey: number) else { return }
    loop.unwatch(client.watch)
    loop.cancel(client.timer)
    waitIdle()
  }

  private func waitIdle() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = clients.isEmpty ? loop.schedule(at: loop.now + Self.idleTime) { [unowned self] in onIdle() } : nil
  }

  // MARK: The kernel

  private func receive() {
    while let reception = socket?.receive(into: &buffer) {
      switch reception {
      case .datagram(let count):
        var actions: [ScanCommission.Action] = []
        decoder.decode(buffer.span.extracting(0..<count)) { envelope, message in
          actions += commission.handle(.received(envelope, message), at: loop.now)
        }
        perform(actions)
      // What was lost is answered by its deadline.
      case .rejected, .overflow: break
      case .nothing, .failed: return
      }
    }
  }

  private func handle(_ input: ScanCommission.Input) { perform(commission.handle(input, at: loop.now)) }

  private func perform(_ actions: [ScanCommission.Action]) {
    for action in actions {
      switch action {
      case .send(let message): try? socket?.send(message)
      case .answer(let client, let errno):
        // Four bytes into an empty socket.
        _ = clients[client]?.stream.write(ScanOrder.answer(errno: errno)[...])
        drop(client)
      }
    }
    timer?.arm(for: commission.nextDeadline)
  }
}

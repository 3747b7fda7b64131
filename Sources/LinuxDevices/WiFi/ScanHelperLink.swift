internal import Geodesy
package import LinuxIO
internal import Positioning
internal import WireFormats

/// Client of the privileged scan helper: one connection for each request, one after the other.
final class ScanHelperLink {
  /// Timeout of a request: the helper may have to be started first, and the kernel answers at once.
  private static let patience: Duration = .seconds(5)
  /// Maximum number of waiting requests, more than a system has radios; further ones fail at once.
  private static let mostWaiting = 16

  private let loop: EventLoop
  private let path: String
  private var stream: UnixStream?
  private var watch: WatchID?
  private var timer: TimerID?
  private var waiting: [(order: ScanRequest, body: (Int32?) -> Void)] = []
  private var answer: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: ScanRequest.answerSize + 1)

  init(loop: EventLoop, path: String) {
    self.loop = loop
    self.path = path
  }

  /// Sends a request. `body` is called once, from the loop, with the kernel's `errno`, or with `nil` if the helper does
  /// not answer.
  func ask(_ order: ScanRequest, _ body: @escaping (Int32?) -> Void) {
    guard waiting.count < Self.mostWaiting else {
      loop.schedule(at: loop.now) { body(nil) }
      return
    }
    waiting.append((order, body))
    if waiting.count == 1 { begin() }
  }

  /// Closes the connection; no answer follows.
  func close() {
    waiting = []
    drop()
  }

  private func begin() {
    guard let order = waiting.first?.order else { return }
    do throws(SystemError) {
      let stream = try UnixStream(connectingTo: try UnixAddress(path: path))
      watch = try loop.watch(stream.descriptor) { [unowned self] _ in read() }
      timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in end(nil) }
      // A few hundred bytes always fit into an empty socket.
      if case .written(ScanRequest.size) = stream.write(order.bytes[...]) {
        self.stream = consume stream
        return
      }
    } catch {}
    drop()
    timer = loop.schedule(at: loop.now) { [unowned self] in end(nil) }
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      answer += buffer[..<count]
      if answer.count >= ScanRequest.answerSize { end(ScanRequest.errno(answer.span)) }
    case .wouldBlock: break
    case .endOfFile, .failed: end(nil)
    }
  }

  private func end(_ errno: Int32?) {
    drop()
    guard !waiting.isEmpty else { return }
    let body = waiting.removeFirst().body
    if !waiting.isEmpty { begin() }
    body(errno)
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    stream = nil
    answer = []
  }
}

/// The scan helper on an event loop: reads one request from each client and answers it. A connection starts the helper,
/// which exits after a period without clients.
package final class ScanHelperServer {
  /// Maximum number of concurrent clients; further connections are closed.
  package static let maximumClients = 8

  private let loop: EventLoop
  private let clients: HelperClients
  private var socket: NetlinkSocket?
  private var decoder = NetlinkDecoder()
  private var commission = ScanExecutor()
  private var timer: EarliestTimer?
  private var buffer = [UInt8](repeating: 0, count: NetlinkSocket.datagramSize)

  /// - Parameter onIdle: called after ten seconds without clients.
  package init(
    loop: EventLoop, listener: consuming UnixListener, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    clients = try HelperClients(
      loop: loop, listener: listener, most: Self.maximumClients, longestOrder: ScanRequest.size, onIdle: onIdle)
    let socket = try NetlinkSocket()
    let descriptor = socket.fileDescriptor
    self.socket = consume socket
    timer = EarliestTimer(loop) { [unowned self] in handle(.deadlinePassed) }
    _ = try loop.watch(descriptor) { [unowned self] _ in receive() }
    clients.onReceived = { [unowned self] in receive($0, $1) }
  }

  private func receive(_ client: UInt64, _ received: [UInt8]) -> HelperClients.Step {
    guard received.count >= ScanRequest.size else { return .wait }
    guard let order = ScanRequest(received.span) else { return .drop }
    handle(.ordered(order, client: client))
    return .wait
  }

  // MARK: The kernel

  private func receive() {
    while let reception = socket?.receive(into: &buffer) {
      switch reception {
      case .datagram(let count):
        var actions: [ScanExecutor.Action] = []
        decoder.decode(buffer.span.extracting(0..<count)) { envelope, message in
          actions += commission.handle(.received(envelope, message), at: loop.now)
        }
        execute(actions)
      // A request whose answer was lost fails at its deadline.
      case .rejected, .overflow: break
      case .nothing, .failed: return
      }
    }
  }

  private func handle(_ input: ScanExecutor.Input) { execute(commission.handle(input, at: loop.now)) }

  private func execute(_ actions: [ScanExecutor.Action]) {
    for action in actions {
      switch action {
      case .send(let message): try? socket?.send(message)
      case .answer(let client, let errno):
        clients.answer(client, ScanRequest.answer(errno: errno))
      }
    }
    timer?.arm(for: commission.nextDeadline)
  }
}

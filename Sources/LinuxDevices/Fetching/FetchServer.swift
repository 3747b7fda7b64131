internal import Geodesy
package import LinuxIO
internal import Positioning

/// The fetcher: reads one order from each client, does it, and answers. It is started when somebody connects, and ends when nobody has for
/// a while; or with its one client, which has started it.
///
/// A request is waited for where it stands: nobody else is there to be served meanwhile, and its time is bounded.
package final class FetchServer {
  /// Who is there at once; whoever comes beyond that is let go.
  package static let maximumClients = 4
  /// An order stands in the socket when its client has connected; an answer is read by who waits for it.
  private static let patience: Duration = .seconds(5)
  /// Tiles follow each other, and find it running.
  private static let idleTime: Duration = .seconds(10)

  private final class Client {
    let stream: UnixStream
    let watch: WatchID
    let timer: TimerID
    var received: [UInt8] = []
    var reply: ArraySlice<UInt8> = []

    init(stream: consuming UnixStream, watch: WatchID, timer: TimerID) {
      self.stream = stream
      self.watch = watch
      self.timer = timer
    }
  }

  private let loop: EventLoop
  private let listener: UnixListener?
  private let agent: String
  private let onIdle: () -> Void
  private var clients: [UInt64: Client] = [:]
  private var nextClient: UInt64 = 1
  private var idleTimer: TimerID?

  /// - Parameters:
  ///   - agent: the program's name and version, as servers see it.
  ///   - onIdle: nobody has come for ten seconds.
  package init(
    loop: EventLoop, listener: consuming UnixListener, agent: String, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    let descriptor = listener.descriptor
    self.listener = consume listener
    self.agent = agent
    self.onIdle = onIdle
    _ = try loop.watch(descriptor) { [unowned self] _ in accept() }
    waitIdle()
  }

  /// Serves the one that has started it, and nobody after it.
  package init(
    loop: EventLoop, client: consuming UnixStream, agent: String, onIdle: @escaping () -> Void
  ) {
    self.loop = loop
    listener = nil
    self.agent = agent
    self.onIdle = onIdle
    take(client)
  }

  private func accept() {
    while let stream = try? listener?.accept() { take(stream) }
    waitIdle()
  }

  private func take(_ stream: consuming UnixStream) {
    guard clients.count < Self.maximumClients else { return }
    let number = nextClient
    nextClient += 1
    guard let watch = try? loop.watch(stream.descriptor, { [unowned self] in ready($0, number) }) else { return }
    let timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in drop(number) }
    clients[number] = Client(stream: stream, watch: watch, timer: timer)
  }

  private func ready(_ readiness: Readiness, _ number: UInt64) {
    guard let client = clients[number] else { return }
    if client.reply.isEmpty { read(client, number) } else { write(client, number) }
  }

  private func read(_ client: Client, _ number: UInt64) {
    // One byte more than an order has: who sends that does not know what an order is.
    var bytes = [UInt8](repeating: 0, count: FetchOrder.maximumSize + 1)
    switch client.stream.read(into: &bytes) {
    case .bytes(let count):
      client.received += bytes[..<count]
      switch FetchOrder.read(client.received.span) {
      case .incomplete: return
      case .foreign: return drop(number)
      case .order(let order): client.reply = WebTransfer.perform(order, agent: agent).bytes[...]
      }
      // The time that it took was not the client's.
      loop.reschedule(client.timer, at: MonotonicClock.now() + Self.patience)
      write(client, number)
    case .wouldBlock: break
    case .endOfFile, .failed: drop(number)
    }
  }

  private func write(_ client: Client, _ number: UInt64) {
    while !client.reply.isEmpty {
      switch client.stream.write(client.reply) {
      case .written(let count): client.reply = client.reply.dropFirst(count)
      case .wouldBlock: return loop.change(client.watch, to: .writable)
      case .failed: return drop(number)
      }
    }
    drop(number)
  }

  private func drop(_ number: UInt64) {
    guard let client = clients.removeValue(forKey: number) else { return }
    loop.unwatch(client.watch)
    loop.cancel(client.timer)
    waitIdle()
  }

  private func waitIdle() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = nil
    guard clients.isEmpty else { return }
    // Nobody else will come to one that has no socket of its own.
    let time: Duration = listener == nil ? .zero : Self.idleTime
    idleTimer = loop.schedule(at: MonotonicClock.now() + time) { [unowned self] in onIdle() }
  }
}

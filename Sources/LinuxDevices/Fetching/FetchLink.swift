internal import Geodesy
package import LinuxIO
package import Positioning

/// Client of the network helper process: one request at a time, sent to the fetcher's socket or, if no process listens
/// there, to a fetcher that this process starts.
package final class FetchLink {
  /// The argument that makes `locationd` run as the fetcher.
  package static let argument = "fetch-helper"
  /// The socket of the service's fetcher (`location-fetch.socket`).
  package static let systemFetcher = "/run/locationd/fetch"

  /// Time for the fetcher to start and to serve other clients; the transfer has its own timeout.
  private static let startPatience: Duration = .seconds(30)

  private let loop: EventLoop
  private let path: String
  private let program: HelperProgram?
  private var stream: UnixStream?
  private var child: SocketChild?
  private var watch: WatchID?
  private var timer: TimerID?
  private var request: (order: FetchRequest, body: (FetchResponse) -> Void)?
  private var answer: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// - Parameters:
  ///   - path: the fetcher's socket.
  ///   - program: the program to start if no process listens there, with a socket as its standard input; `nil`: none.
  package init(loop: EventLoop, path: String = systemFetcher, program: HelperProgram? = .own(argument)) {
    self.loop = loop
    self.path = path
    self.program = program
  }

  deinit { close() }

  /// Whether a request is pending.
  package var isBusy: Bool { request != nil }

  /// Sends a request. `body` is called once, from the loop, never during this call. Call this only if no request is
  /// pending.
  package func ask(_ order: FetchRequest, _ body: @escaping (FetchResponse) -> Void) {
    precondition(!isBusy, "one at a time")
    request = (order, body)
    begin(order)
  }

  /// Closes the connection; no answer follows.
  package func close() {
    request = nil
    drop()
  }

  private func begin(_ order: FetchRequest) {
    do throws(FetchProblem) {
      let stream = try connect()
      // A few thousand bytes always fit into an empty socket.
      guard case .written(order.bytes.count) = stream.write(order.bytes[...]) else { throw .fetcherFailed }
      guard let watch = try? loop.watch(stream.descriptor, { [unowned self] _ in read() }) else { throw .fetcherFailed }
      self.stream = consume stream
      self.watch = watch
      timer = loop.schedule(at: loop.now + order.purpose.patience + Self.startPatience) { [unowned self] in
        end(.failed(.tooLate))
      }
    } catch {
      drop()
      timer = loop.schedule(at: loop.now) { [unowned self] in end(.failed(error)) }
    }
  }

  private func connect() throws(FetchProblem) -> UnixStream {
    guard let stream = HelperStream.connect(path, program, &child) else { throw .noFetcher }
    return stream
  }

  private func read() {
    // A tile needs several turns, one for each time that the socket is filled.
    guard let order = request?.order, let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      answer += buffer[..<count]
      switch FetchResponse.read(answer.span, to: order.purpose) {
      case .incomplete: break
      case .reply(let reply): end(reply)
      case .foreign: end(.failed(.fetcherFailed))
      }
    case .wouldBlock: break
    case .endOfFile, .failed: end(.failed(.fetcherFailed))
    }
  }

  private func end(_ reply: FetchResponse) {
    drop()
    guard let body = request?.body else { return }
    request = nil
    body(reply)
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    stream = nil
    child = nil
    answer = []
  }
}

/// The fetcher: executes one request of each client and answers it. It exits after a period without clients or, if a
/// client started it, with that client.
///
/// Transfers block: no other client is served meanwhile, and each transfer has a timeout.
package final class FetchServer {
  /// Maximum number of concurrent clients; further connections are closed.
  package static let maximumClients = 4

  private let clients: HelperClients

  /// - Parameters:
  ///   - agent: the program's name and version, sent to servers as the user agent.
  ///   - onIdle: called after ten seconds without clients.
  package init(
    loop: EventLoop, listener: consuming UnixListener, agent: String, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    clients = try HelperClients(
      loop: loop, listener: listener, most: Self.maximumClients, longestOrder: FetchRequest.maximumSize, onIdle: onIdle)
    begin(agent)
  }

  /// Serves only the client that started it.
  package init(loop: EventLoop, client: consuming UnixStream, agent: String, onIdle: @escaping () -> Void) {
    clients = HelperClients(loop: loop, client: client, longestOrder: FetchRequest.maximumSize, onIdle: onIdle)
    begin(agent)
  }

  private func begin(_ agent: String) {
    clients.onReceived = { _, received in
      switch FetchRequest.read(received.span) {
      case .incomplete: .wait
      case .foreign: .drop
      case .order(let order): .answer(WebTransfer.perform(order, agent: agent).bytes)
      }
    }
  }
}

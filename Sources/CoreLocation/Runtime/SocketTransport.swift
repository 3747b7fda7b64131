import Foundation
import Geodesy
import LinuxIO
import LocationdClient
import LocationIPC
import Synchronization

/// The transport of this process's clients to a location service. The listener passed at its start receives the events.
protocol ServiceTransport: Sendable {
  /// A client's number: unique in the process, never 0.
  typealias Client = Int
  /// Receives the events, on a thread of the transport; never called from within the call that starts the transport.
  typealias Listener = @Sendable (TransportEvent) -> Void

  /// Sends a request; never waits for its answer.
  func send(_ request: ClientRequest, from client: Client)
  /// Cancels the requests of a client that has disconnected.
  func leave(_ client: Client)
}

/// An event of a transport.
enum TransportEvent: Sendable {
  case received(ServiceEvent)
  /// The service has stopped; no event follows. `isForGood`: it is useless to start the service again.
  case ended(isForGood: Bool)
}

/// The location service of another process, reached at its socket through one connection for all clients of this process. Its
/// thread sleeps while nothing arrives and there are no requests.
final class SocketTransport: ServiceTransport {
  private let mailbox: LoopMailbox<ClientRequest>

  /// Starts the connection's thread; `nil` if there is no service. Throws if a service may exist but cannot be reached.
  static func connect(_ listener: @escaping Listener) throws(UnreachableService) -> SocketTransport? {
    guard let mailbox = try? LoopMailbox<ClientRequest>() else { return nil }
    let meeting = ConnectionAttempt()
    let thread = Thread { Self.serve(mailbox, meeting, listener) }
    thread.name = "CoreLocation"
    thread.start()
    // Connecting does not block: either a process listens on the socket, or none does.
    return try meeting.outcome.get() ? SocketTransport(mailbox) : nil
  }

  private init(_ mailbox: LoopMailbox<ClientRequest>) { self.mailbox = mailbox }

  func send(_ request: ClientRequest, from client: Client) { mailbox.post(request) }

  /// The service sees only one client, which stays connected.
  func leave(_ client: Client) {}

  /// The connection's thread.
  private static func serve(
    _ mailbox: LoopMailbox<ClientRequest>, _ meeting: ConnectionAttempt, _ listener: @escaping Listener
  ) {
    var hasMet = false
    do {
      let loop = try EventLoop(ownsProcess: false)
      let hello = ClientHello(
        name: ProcessInfo.processInfo.processName, usage: ProgramDescription.shared.usage)
      if let client = try ServiceSocket.connect(on: loop, hello) {
        let requests = SocketRequests(loop: loop, service: client) { listener(.received($0)) }
        try loop.receive(from: mailbox) { requests.send($0) }
        client.begin(for: requests)
        hasMet = true
        meeting.end(.success(true))
        try loop.run()
      }
    } catch let error as UnreachableService {
      return meeting.end(.failure(error))
    } catch {
      // The system has no file descriptor left.
      if hasMet { return listener(.ended(isForGood: false)) }
    }
    if !hasMet { meeting.end(.success(false)) }
  }

  /// The result of a connection attempt: one thread waits for the result that the other provides.
  private final class ConnectionAttempt: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let found = Mutex(Result<Bool, UnreachableService>.success(false))

    /// Waits for the result.
    var outcome: Result<Bool, UnreachableService> {
      end.wait()
      return found.withLock { $0 }
    }

    func end(_ outcome: Result<Bool, UnreachableService>) {
      found.withLock { $0 = outcome }
      end.signal()
    }
  }
}

/// The requests of this process's clients to the service behind a socket, on the connection's thread.
final class SocketRequests: SocketClientObserver {
  private let loop: EventLoop
  private let service: SocketClient
  private let received: (ServiceEvent) -> Void
  private var exchange: RequestExchange
  private var waiting: [RequestExchange.Input] = []
  private var isWorking = false
  private var timer: TimerID?

  init(loop: EventLoop, service: SocketClient, _ received: @escaping (ServiceEvent) -> Void) {
    self.loop = loop
    self.service = service
    self.received = received
    exchange = RequestExchange(at: loop.now)
  }

  func send(_ request: ClientRequest) { handle(.request(request)) }

  func receive(_ event: ServiceEvent) { handle(.event(event)) }

  func receive(_ refusal: DisconnectReason) { UsageWarning(refusal)?.emit() }

  /// Handles inputs one after the other: if the service has refused this process, it answers from within the request.
  private func handle(_ input: RequestExchange.Input) {
    waiting.append(input)
    guard !isWorking else { return }
    isWorking = true
    while !waiting.isEmpty {
      for action in exchange.handle(waiting.removeFirst(), at: loop.now) { execute(action) }
    }
    isWorking = false
    arm()
  }

  private func execute(_ action: RequestExchange.Action) {
    switch action {
    case .send(let request): service.send(request)
    case .deliver(let event):
      if case .failed(_, .serviceUnreadable(let reason)) = event { UsageWarning.unreadableService(reason).emit() }
      // A receiver that the service cannot open is not a denial to this program.
      received(event.withoutDenial)
    }
  }

  private func arm() {
    if let timer { loop.cancel(timer) }
    timer = exchange.nextDeadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in
        timer = nil
        handle(.wake)
      }
    }
  }
}

import Geodesy
import LinuxIO
import LocationIPC
import LocationdClient

/// The clients of this process at the service behind a socket, on the connection's thread.
final class SocketClients {
  enum Message: Sendable {
    case request(ClientRequest, from: ServiceTransport.Client)
    /// The client has gone, and its requests with it.
    case left(ServiceTransport.Client)
  }

  private let loop: EventLoop
  private let service: SocketClient
  private let tell: (ServiceTransport.Client, ServiceEvent) -> Void
  private var exchange: RequestExchange
  private var waiting: [RequestExchange.Input] = []
  private var isWorking = false
  private var timer: TimerID?

  init(
    loop: EventLoop, service: SocketClient, _ tell: @escaping (ServiceTransport.Client, ServiceEvent) -> Void
  ) {
    self.loop = loop
    self.service = service
    self.tell = tell
    exchange = RequestExchange(at: loop.now)
    service.onEvent = { [unowned self] in handle(.event($0)) }
    service.onRefusal = { Complaint($0)?.say() }
  }

  func take(_ message: Message) {
    switch message {
    case .request(let request, let client): handle(.request(request, from: client))
    case .left(let client): handle(.left(client))
    }
  }

  /// One after the other: a service that has refused this process answers from within what asks it.
  private func handle(_ input: RequestExchange.Input) {
    waiting.append(input)
    guard !isWorking else { return }
    isWorking = true
    while !waiting.isEmpty {
      for action in exchange.handle(waiting.removeFirst(), at: loop.now) { perform(action) }
    }
    isWorking = false
    arm()
  }

  private func perform(_ action: RequestExchange.Action) {
    switch action {
    case .send(let request): service.send(request)
    case .tell(let client, let event):
      if case .failed(_, .serviceUnreadable(let reason)) = event { Complaint.unreadableService(reason).say() }
      // A receiver that the service may not read is the service's own matter.
      tell(client, event.withoutDenial)
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

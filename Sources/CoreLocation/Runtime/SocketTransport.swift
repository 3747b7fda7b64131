import Foundation
import LinuxIO
import LocationIPC
import LocationdClient
import Synchronization

/// The location service of another process, met at its socket by one connection for all clients of this one. Its thread
/// sleeps while nothing comes and nobody wants anything.
final class SocketTransport: ServiceTransport {
  private let mailbox: LoopMailbox<SocketClients.Message>

  /// Begins the connection's thread; `nil` where no service answers. One that may be there and cannot be reached is thrown.
  static func meet(_ listener: @escaping Listener) throws(BarredService) -> SocketTransport? {
    guard let mailbox = try? LoopMailbox<SocketClients.Message>() else { return nil }
    let meeting = Meeting()
    let thread = Thread { Self.serve(mailbox, meeting, listener) }
    thread.name = "CoreLocation"
    thread.start()
    // To connect takes no time: either somebody listens, or nobody does.
    return try meeting.outcome.get() ? SocketTransport(mailbox) : nil
  }

  private init(_ mailbox: LoopMailbox<SocketClients.Message>) { self.mailbox = mailbox }

  func send(_ request: ClientRequest, from client: Client) { mailbox.post(.request(request, from: client)) }

  func leave(_ client: Client) { mailbox.post(.left(client)) }

  /// The connection's thread.
  private static func serve(
    _ mailbox: LoopMailbox<SocketClients.Message>, _ meeting: Meeting, _ listener: @escaping Listener
  ) {
    var hasMet = false
    do {
      let loop = try EventLoop(ownsProcess: false)
      let hello = ClientHello(
        name: ProcessInfo.processInfo.processName, usage: ProgramDescription.shared.usage)
      if let client = try ServiceSocket.meet(on: loop, hello) {
        let clients = SocketClients(loop: loop, service: client) { listener(.told($0, $1)) }
        try loop.receive(from: mailbox) { clients.take($0) }
        client.begin()
        hasMet = true
        meeting.end(.success(true))
        try loop.run()
      }
    } catch let error as BarredService {
      return meeting.end(.failure(error))
    } catch {
      // The system has no descriptor left.
      if hasMet { return listener(.ended(isForGood: false)) }
    }
    if !hasMet { meeting.end(.success(false)) }
  }

  /// Whether the service was met, which one thread waits for and another finds out.
  private final class Meeting: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let found = Mutex(Result<Bool, BarredService>.success(false))

    /// Waits for it.
    var outcome: Result<Bool, BarredService> {
      end.wait()
      return found.withLock { $0 }
    }

    func end(_ outcome: Result<Bool, BarredService>) {
      found.withLock { $0 = outcome }
      end.signal()
    }
  }
}

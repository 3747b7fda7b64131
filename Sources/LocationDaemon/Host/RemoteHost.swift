import LinuxIO
package import LocationIPC
package import LocationPolicy
import ServiceLink

/// The service of another process, met at its socket, in the same terms as one that is hosted here.
package final class RemoteHost: ServiceAccess {
  package var onEvent: ((ServiceEvent) -> Void)?
  package var onSignal: ((Int32) -> Void)?
  package let surroundings: ProgramLoop

  private let client: SocketClient
  /// What was asked is sent from within `run`, when whoever asks is ready to hear.
  private var requests: [ClientRequest] = []
  private var isRunning = false
  private var isStopping = false

  private var loop: EventLoop { surroundings.loop }

  /// Whether a service answers where the environment says.
  package static func isServed() throws(HostError) -> Bool {
    do throws(BarredService) {
      return try ServiceSocket.isServed()
    } catch {
      throw HostError(error)
    }
  }

  /// The service that answers where the environment says; `nil`: none does.
  package init?(name: String, usage: DeclaredUsage) throws(HostError) {
    surroundings = try ProgramLoop()
    do throws(BarredService) {
      guard let client = try ServiceSocket.meet(on: surroundings.loop, ClientHello(name: name, usage: usage)) else {
        return nil
      }
      self.client = client
    } catch {
      throw HostError(error)
    }
    client.onEvent = { [unowned self] in onEvent?($0) }
    try surroundings.onSignal { [unowned self] in
      if isStopping { loop.stop() } else { onSignal?($0) }
    }
  }

  package func send(_ request: ClientRequest) {
    if isRunning { client.send(request) } else { requests.append(request) }
  }

  package func run() throws(HostError) {
    isRunning = true
    for request in requests { client.send(request) }
    requests.removeAll()
    client.begin()
    do throws(SystemError) {
      try loop.run()
    } catch {
      throw HostError(error)
    }
  }

  /// The service notices that this client has gone when its socket closes.
  package func stop() {
    isStopping = true
    loop.stop()
  }
}

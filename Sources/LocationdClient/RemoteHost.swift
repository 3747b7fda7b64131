import Geodesy
import LinuxIO
package import LocationIPC
package import LocationPolicy

/// The service in another process, reached through its socket, with the same interface as a service that this process hosts.
package final class RemoteHost: ServiceAccess {
  package var onEvent: ((ServiceEvent) -> Void)?
  package var onSignal: ((Int32) -> Void)?
  package private(set) var device: String?
  package let surroundings: ProgramLoop

  private let client: SocketClient
  /// Requests made before `run`, which sends them: the caller is ready for answers only then.
  private var requests: [ClientRequest] = []
  private var isRunning = false
  private var isStopping = false
  private var hasGreeted = false
  /// The requests of `init`, whose events the program does not receive.
  private var preliminary: ServiceRequests?
  /// A signal that arrived before `run`.
  private var earlySignal: Int32?

  private var loop: EventLoop { surroundings.loop }

  /// Whether a service answers at one of the sockets that the environment names.
  package static func isServed() throws(HostError) -> Bool {
    do throws(UnreachableService) {
      return try ServiceSocket.isServed()
    } catch {
      throw HostError(error)
    }
  }

  /// Connects to the service that answers at one of the sockets that the environment names; `nil` if no service
  /// answers.
  package init?(name: String, usage: DeclaredUsage) throws(HostError) {
    surroundings = try ProgramLoop()
    do throws(UnreachableService) {
      guard let client = try ServiceSocket.connect(on: surroundings.loop, ClientHello(name: name, usage: usage)) else {
        return nil
      }
      self.client = client
    } catch {
      throw HostError(error)
    }
    try surroundings.onSignal { [unowned self] in
      if !isRunning {
        earlySignal = $0
        loop.stop()
      } else if isStopping {
        loop.stop()
      } else {
        onSignal?($0)
      }
    }
  }

  /// Connects to the service that answers at one of the sockets that the environment names, if the service serves the
  /// port at `path`, even if it knows the port under another name. Requests then concern the receiver on that port.
  /// `nil` if no service serves the port, so that this program may open the port itself.
  ///
  /// - Parameter baud: the baud rate that the user named. The service detects baud rates by itself, so a named one is accepted only
  ///   for a port on which the service already receives data.
  package convenience init?(
    having path: String, baud: Int?, name: String, usage: DeclaredUsage
  ) throws(HostError) {
    try self.init(having: { Self.isSame($0.path, path) }, baud: baud, name: name, usage: usage)
  }

  /// Does the same, but for the port of the first device for which `isMeant` returns `true`.
  package convenience init?(
    having isMeant: (DeviceDescription) -> Bool, baud: Int? = nil, name: String, usage: DeclaredUsage
  ) throws(HostError) {
    try self.init(name: name, usage: usage)
    let port = try listDevices().first(where: isMeant)
    if let port, baud == nil ? port.state.isServed : port.state.isReceiving { device = port.path }
    // If a signal has arrived in the meantime, the client is kept so that `run` can report the signal.
    if device == nil, earlySignal == nil { return nil }
  }

  private static let patience = Duration.seconds(5)

  /// Whether two paths name the same port.
  private static func isSame(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    guard let number = DeviceNumber(ofNodeAt: a) else { return false }
    return number == DeviceNumber(ofNodeAt: b)
  }

  /// The devices of the service; empty if it does not answer within `patience`.
  private func listDevices() throws(HostError) -> [DeviceDescription] {
    var devices: [DeviceDescription] = []
    let requests = ServiceRequests { [client] in client.send($0) }
    preliminary = requests
    defer { preliminary = nil }
    let timer = loop.schedule(at: MonotonicClock.now() + Self.patience) { [unowned self] in loop.stop() }
    let listing = requests.send(.devices) { [loop] reply in
      if case .reply(let list) = reply { devices = list }
      loop.stop()
    }
    greet()
    do throws(SystemError) {
      try loop.run()
    } catch {
      throw HostError(error)
    }
    loop.cancel(timer)
    requests.cancel(listing)
    return devices
  }

  private func greet() {
    guard !hasGreeted else { return }
    hasGreeted = true
    client.begin(for: self)
  }

  package func send(_ request: ClientRequest) {
    if isRunning { client.send(request) } else { requests.append(request) }
  }

  package func run() throws(HostError) {
    isRunning = true
    for request in requests { client.send(request) }
    requests.removeAll()
    greet()
    if let signal = earlySignal.take() { onSignal?(signal) }
    do throws(SystemError) {
      try loop.run()
    } catch {
      throw HostError(error)
    }
  }

  /// Sends nothing: the service notices that this client has left when the client's socket closes.
  package func stop() {
    isStopping = true
    loop.stop()
  }
}

extension RemoteHost: SocketClientObserver {
  package func receive(_ event: ServiceEvent) {
    if let preliminary { preliminary.receive(event) } else { onEvent?(event) }
  }

  package func receive(_ refusal: DisconnectReason) {}
}

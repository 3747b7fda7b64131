import Geodesy
import LinuxDevices
package import LinuxIO
import LocationIPC
package import LocationdService
import NetworkSources

/// Receivers in networks, through the network helper. A lost connection is made again after a growing delay, as long as a client needs
/// the receiver.
package final class NetworkPortDriver: PortDriver {
  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private var open: [LinkID: NetworkPort] = [:]
  /// Reconnection continues where it was when the port was closed, so that a client that comes back does not hurry it.
  private var connections: [String: StreamConnection] = [:]

  package init(loop: EventLoop, runner: ServiceRunner) {
    (self.loop, self.runner) = (loop, runner)
  }

  private final class NetworkPort {
    let source: NetworkSource
    var link: NetworkLink?
    var timer: TimerID?

    init(_ source: NetworkSource) { self.source = source }

    /// A peer that sends may come late, and pause: nothing is made again for it.
    var listens: Bool { if case .listener = source { true } else { false } }

    var order: NetworkOrder? {
      switch source {
      case .stream(let stream): .connect(stream.server, isEncrypted: false)
      case .listener(let listener): .listen(listener)
      case .gpsd, .caster, .corrections: nil
      }
    }
  }

  package func open(_ id: LinkID, _ device: DetectedDevice) {
    close(id)
    guard let source = device.network else { return }
    open[id] = NetworkPort(source)
    feed(.start, id)
    // After a loss, the connection waits until it may be made again.
    arm(id)
  }

  package func close(_ id: LinkID) {
    guard let port = open.removeValue(forKey: id) else { return }
    port.link?.close()
    if let timer = port.timer { loop.cancel(timer) }
    if connections[port.source.text]?.isConnected == true { connections[port.source.text] = nil }
  }

  /// Does nothing: a connection has no baud rate.
  package func setSpeed(_ id: LinkID, baud: Int) {}

  package func write(_ id: LinkID, _ bytes: [UInt8]) {
    guard let port = open[id], case .stream(let stream) = port.source, stream.isWritable else { return }
    port.link?.send(bytes)
  }

  // MARK: -

  private func feed(_ input: StreamConnection.Input, _ id: LinkID) {
    guard let port = open[id] else { return }
    let key = port.source.text
    var connection = connections[key] ?? StreamConnection(seed: .random(in: 0 ... .max))
    let wasConnected = connection.isConnected
    let actions = connection.handle(input, at: loop.now)
    connections[key] = connection
    for action in actions {
      switch action {
      case .connect: connect(id, port)
      case .close:
        port.link?.close()
        port.link = nil
      case .lost(let problem):
        port.link?.close()
        port.link = nil
        // The core opens it again.
        open[id] = nil
        if let timer = port.timer { loop.cancel(timer) }
        let failure = OpenFailure.notConnected(NetworkFailure(problem))
        // While the next try waits, this is why there is no position.
        runner.handle(.sourceless(.cannotOpen(path: port.source.text, reason: failure)))
        runner.handle(wasConnected ? .closed(id) : .openFailed(id, .cannotOpen(failure)))
        return
      }
    }
    arm(id)
  }

  private func connect(_ id: LinkID, _ port: NetworkPort) {
    guard let order = port.order else { return }
    port.link = NetworkLink(loop: loop, order) { [unowned self] event in
      switch event {
      case .connected:
        feed(.connected, id)
        runner.handle(.opened(id, baud: nil))
      case .received(let bytes):
        feed(.received, id)
        if open[id] != nil { runner.receive(bytes.span, on: id) }
      case .dropped, .accepted: break
      case .ended(.closed): feed(.closed, id)
      case .ended(let problem): feed(.failed(problem), id)
      }
    }
  }

  private func arm(_ id: LinkID) {
    guard let port = open[id] else { return }
    let connection = connections[port.source.text]
    guard let deadline = connection?.nextDeadline, !(port.listens && connection?.isConnected == true) else {
      if let timer = port.timer { loop.cancel(timer) }
      port.timer = nil
      return
    }
    if let timer = port.timer, loop.reschedule(timer, at: deadline) { return }
    port.timer = loop.schedule(at: deadline) { [unowned self] in
      port.timer = nil
      feed(.wake, id)
    }
  }
}

extension NetworkFailure {
  /// Converts a problem to the client's terms.
  init(_ problem: StreamProblem) {
    self =
      switch problem {
      case .noSuchHost: .noSuchHost
      case .unreachable: .unreachable
      case .notTrusted: .notTrusted
      case .tooLate: .tooLate
      case .closed: .closed
      case .silent: .silent
      }
  }
}

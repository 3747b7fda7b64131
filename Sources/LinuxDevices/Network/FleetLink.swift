package import Fleet
import Geodesy
package import LinuxIO

/// One connection of a destination, through the fleet helper's socket, or by a helper that this process starts for it.
package final class FleetLink {
  /// The argument that makes `locationd` run as the helper.
  package static let argument = "fleet-helper"
  /// The socket of the service's helper (`location-fleet.socket`).
  package static let systemHelper = "/run/locationd/fleet"
  /// The most that waits for the helper, bytes: the window of an outbox, with the longest bodies.
  private static let mostOutgoing = 4 * 1024 * 1024

  private let loop: EventLoop
  private let body: (FleetHelperMessage) -> Void
  private var stream: UnixStream?
  private var child: SocketChild?
  private var watch: WatchID?
  private var timer: TimerID?
  private var reader = FleetHelperMessageReader()
  private var outgoing: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Starts; `body` is called from the loop, never during this call. Its last message is `.ended`.
  ///
  /// - Parameters:
  ///   - path: the helper's socket.
  ///   - program: started if no process listens there; `nil`: none.
  package init(
    loop: EventLoop, path: String = systemHelper, program: HelperProgram? = .own(argument),
    _ connection: FleetConnection, _ body: @escaping (FleetHelperMessage) -> Void
  ) {
    (self.loop, self.body) = (loop, body)
    connect(path, program)
    guard let descriptor = stream?.descriptor,
      let watch = try? loop.watch(descriptor, { [unowned self] in ready($0) })
    else {
      timer = loop.schedule(at: loop.now) { [unowned self] in end(.helperFailed) }
      return
    }
    self.watch = watch
    send(.connect(connection))
  }

  deinit { close() }

  private func connect(_ path: String, _ program: HelperProgram?) {
    if let address = try? UnixAddress(path: path), let connected = try? UnixStream(connectingTo: address) {
      stream = consume connected
      return
    }
    guard let program, let child = try? SocketChild(program.path, as: program.name, program.arguments) else { return }
    self.child = child
    stream = child.takeStream()
  }

  /// Sends a message to the helper; one that does not fit is left out, and the outbox sends it again.
  package func send(_ message: FleetHelperMessage) {
    let bytes = message.bytes
    guard outgoing.count + bytes.count <= Self.mostOutgoing else { return }
    outgoing += bytes
    flush()
  }

  /// Closes the connection at once; no message follows.
  package func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    stream = nil
    child = nil
  }

  private func ready(_ readiness: Readiness) {
    if readiness.writable { flush() }
    guard readiness.readable || readiness.hangUp || readiness.error else { return }
    // A message's handler may release this link, which must live until the end of the call.
    withExtendedLifetime(self) { read() }
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      for message in reader.push(buffer[..<count]) where watch != nil {
        if case .ended = message { close() }
        body(message)
      }
      if reader.isMalformed, watch != nil { end(.helperFailed) }
    case .wouldBlock: break
    case .endOfFile, .failed: end(.helperFailed)
    }
  }

  private func flush() {
    guard let watch else { return }
    while !outgoing.isEmpty {
      switch stream?.write(outgoing) {
      case .written(let count): outgoing = outgoing.dropFirst(count)
      case .wouldBlock: return loop.change(watch, to: [.readable, .writable])
      // The next read reports it.
      case .failed, nil: outgoing = []
      }
    }
    loop.change(watch, to: .readable)
  }

  private func end(_ problem: FleetProblem) {
    close()
    body(.ended(problem, nil))
  }
}

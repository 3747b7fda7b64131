import Geodesy
package import LinuxIO
package import NetworkSources

/// A client of the network helper: one connection or one listening address, through the helper's socket, or by a helper that
/// this process starts for it.
package final class NetworkLink {
  package enum Event: Hashable, Sendable {
    /// The connection is made, or the address is listened at.
    case connected
    case received([UInt8])
    /// Senders beside the chosen one, or that may not send.
    case dropped(Int)
    /// The connection was not made, or broke off; nothing follows.
    case ended(StreamProblem)
  }

  /// The argument that makes `locationd` run as the helper.
  package static let argument = "net-helper"
  /// The socket of the service's helper (`location-net.socket`).
  package static let systemHelper = "/run/locationd/net"
  /// The most that waits for the helper, bytes; what comes then is dropped.
  private static let mostOutgoing = 65_536

  private let loop: EventLoop
  private let body: (Event) -> Void
  private var stream: UnixStream?
  private var child: SocketChild?
  private var watch: WatchID?
  private var timer: TimerID?
  private var reader = NetworkMessageReader()
  private var outgoing: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Starts; `body` is called from the loop, never during this call.
  ///
  /// - Parameters:
  ///   - path: the helper's socket.
  ///   - program: started if no process listens there; `nil`: none.
  package init(
    loop: EventLoop, path: String = systemHelper, program: HelperProgram? = .own(argument), _ order: NetworkOrder,
    _ body: @escaping (Event) -> Void
  ) {
    (self.loop, self.body) = (loop, body)
    connect(path, program)
    guard let descriptor = stream?.descriptor,
      let watch = try? loop.watch(descriptor, { [unowned self] in ready($0) })
    else {
      timer = loop.schedule(at: loop.now) { [unowned self] in end(.unreachable) }
      return
    }
    self.watch = watch
    write(NetworkMessage.order(order).bytes)
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

  /// Sends bytes to the peer.
  package func send(_ bytes: [UInt8]) {
    guard outgoing.count + bytes.count <= Self.mostOutgoing else { return }
    write(NetworkMessage.pieces(of: bytes[...]))
  }

  /// Closes the connection; no event follows.
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
    // An event's handler may release this link, which must live until the end of the call.
    withExtendedLifetime(self) { read() }
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      for message in reader.push(buffer[..<count]) where watch != nil { receive(message) }
      if reader.isMalformed, watch != nil { end(.unreachable) }
    case .wouldBlock: break
    case .endOfFile, .failed: end(.unreachable)
    }
  }

  private func receive(_ message: NetworkMessage) {
    switch message {
    case .connected: body(.connected)
    case .data(let bytes): body(.received(bytes))
    case .dropped(let count): body(.dropped(Int(count)))
    case .failed(let problem): end(problem)
    case .order: end(.unreachable)
    }
  }

  private func write(_ bytes: [UInt8]) {
    outgoing += bytes
    flush()
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

  private func end(_ problem: StreamProblem) {
    close()
    body(.ended(problem))
  }
}

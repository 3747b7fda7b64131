import Geodesy
package import LinuxIO
package import NetworkSources

/// A client of the network helper: one connection, one listening address, one port for other machines or one target, through the helper's socket, or by a helper that
/// this process starts for it.
package final class NetworkLink {
  package enum Event: Hashable, Sendable {
    /// The connection is made, the address is listened at, or datagrams can be sent.
    case connected
    case received([UInt8])
    /// Senders beside the chosen one, or that may not send.
    case dropped(Int)
    /// A machine has connected to an accepting port (`takeConnection`).
    case accepted
    /// The connection was not made, or broke off; nothing follows.
    case ended(StreamProblem)
  }

  /// The argument that makes `locationd` run as the helper.
  package static let argument = "net-helper"
  /// The socket of the service's helper (`location-net.socket`).
  package static let systemHelper = "/run/locationd/net"
  /// The most that waits for the helper, bytes; what comes then is dropped.
  private static let mostOutgoing = 65_536

  private let body: (Event) -> Void
  private var stream: HelperStream?
  private var reader = NetworkMessageReader()
  /// The connection that came with the message that is being read.
  private var passed: TCPConnection?

  /// Starts; `body` is called from the loop, never during this call.
  ///
  /// - Parameters:
  ///   - path: the helper's socket.
  ///   - program: started if no process listens there; `nil`: none.
  package init(
    loop: EventLoop, path: String = systemHelper, program: HelperProgram? = .own(argument), _ order: NetworkOrder,
    _ body: @escaping (Event) -> Void
  ) {
    self.body = body
    stream = HelperStream(
      loop: loop, path: path, program: program, onRead: { [unowned self] in receive($0) },
      onConnection: { [unowned self] (connection: consuming TCPConnection) in passed = consume connection },
      onEnd: { [unowned self] in end(.unreachable) })
    stream?.write(NetworkMessage.order(order).bytes)
  }

  /// Sends bytes to the peer; to a target, one datagram.
  package func send(_ bytes: [UInt8]) {
    guard let stream, stream.outgoingCount + bytes.count <= Self.mostOutgoing else { return }
    stream.write(NetworkMessage.pieces(of: bytes[...]))
  }

  /// The connection of an event `accepted`, during that event.
  package func takeConnection() -> TCPConnection? { passed.take() }

  /// Closes the connection; no event follows.
  package func close() { stream?.close() }

  private var isOpen: Bool { stream?.isOpen == true }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    // An event's handler may release this link, which must live until the end of the call.
    withExtendedLifetime(self) {
      for message in reader.push(bytes) where isOpen { receive(message) }
      if reader.isMalformed, isOpen { end(.unreachable) }
    }
  }

  private func receive(_ message: NetworkMessage) {
    switch message {
    case .connected: body(.connected)
    case .data(let bytes): body(.received(bytes))
    case .dropped(let count): body(.dropped(Int(count)))
    case .accepted:
      body(.accepted)
      passed = nil
    case .failed(let problem): end(problem)
    case .order: end(.unreachable)
    }
  }

  private func end(_ problem: StreamProblem) {
    close()
    body(.ended(problem))
  }
}

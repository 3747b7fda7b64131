package import LinuxIO
internal import Positioning
internal import WireFormats

/// The scan helper on an event loop: reads one order from each client, and answers it. It is started when somebody connects, and ends
/// when nobody has for a while.
package final class ScanHelperServer {
  /// Who is there at once; whoever comes beyond that is let go.
  package static let maximumClients = 8

  private let loop: EventLoop
  private let clients: HelperClients
  private var socket: NetlinkSocket?
  private var decoder = NetlinkDecoder()
  private var commission = ScanCommission()
  private var timer: EarliestTimer?
  private var buffer = [UInt8](repeating: 0, count: NetlinkSocket.datagramSize)

  /// - Parameter onIdle: nobody has come for ten seconds.
  package init(
    loop: EventLoop, listener: consuming UnixListener, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    clients = try HelperClients(
      loop: loop, listener: listener, most: Self.maximumClients, longestOrder: ScanOrder.size, onIdle: onIdle)
    let socket = try NetlinkSocket()
    let descriptor = socket.fileDescriptor
    self.socket = consume socket
    timer = EarliestTimer(loop) { [unowned self] in handle(.deadlinePassed) }
    _ = try loop.watch(descriptor) { [unowned self] _ in receive() }
    clients.onReceived = { [unowned self] in take($0, $1) }
  }

  private func take(_ client: UInt64, _ received: [UInt8]) -> HelperClients.Step {
    guard received.count >= ScanOrder.size else { return .wait }
    guard let order = ScanOrder(received.span) else { return .drop }
    handle(.ordered(order, client: client))
    return .wait
  }

  // MARK: The kernel

  private func receive() {
    while let reception = socket?.receive(into: &buffer) {
      switch reception {
      case .datagram(let count):
        var actions: [ScanCommission.Action] = []
        decoder.decode(buffer.span.extracting(0..<count)) { envelope, message in
          actions += commission.handle(.received(envelope, message), at: loop.now)
        }
        perform(actions)
      // What was lost is answered by its deadline.
      case .rejected, .overflow: break
      case .nothing, .failed: return
      }
    }
  }

  private func handle(_ input: ScanCommission.Input) { perform(commission.handle(input, at: loop.now)) }

  private func perform(_ actions: [ScanCommission.Action]) {
    for action in actions {
      switch action {
      case .send(let message): try? socket?.send(message)
      case .answer(let client, let errno):
        clients.answer(client, ScanOrder.answer(errno: errno))
      }
    }
    timer?.arm(for: commission.nextDeadline)
  }
}

import Geodesy
import LinuxDevices
import LinuxIO
import LocationdService
import NetworkSources

/// An address at which other machines connect. The network helper listens there, because this process has no network, and passes on the
/// connections of machines that may connect.
final class MachineListener {
  enum Event: Hashable {
    case listening
    /// The helper cannot listen, or has ended; it is tried again.
    case failed
  }

  let address: ListenAddress
  let allowed: AllowList
  private let loop: EventLoop
  private let onEvent: (Event) -> Void
  private let onConnection: (consuming TCPConnection, IPAddress) -> Void
  private var link: NetworkLink?
  private var failures = 0
  private var jitter = Jitter(seed: .random(in: 0 ... .max))
  private var retry: TimerID?

  /// Both functions are called from the loop, never during this call.
  init(
    loop: EventLoop, at address: ListenAddress, allowed: AllowList, onEvent: @escaping (Event) -> Void,
    onConnection: @escaping (consuming TCPConnection, IPAddress) -> Void
  ) {
    (self.loop, self.address, self.allowed) = (loop, address, allowed)
    (self.onEvent, self.onConnection) = (onEvent, onConnection)
    open()
  }

  deinit { close() }

  func close() {
    link?.close()
    link = nil
    if let retry { loop.cancel(retry) }
    retry = nil
  }

  private func open() {
    guard let order = NetworkOrder("accept-tcp-listen://\(address.text)?from=\(allowed.text)") else { return }
    link = NetworkLink(loop: loop, order) { [unowned self] event in
      switch event {
      case .connected:
        failures = 0
        onEvent(.listening)
      case .accepted: accept()
      case .ended: failed()
      case .received, .dropped: break
      }
    }
  }

  private func accept() {
    guard let connection = link?.takeConnection(), let peer = connection.peer,
      let address = IPAddress(bytes: peer.bytes),
      allowed.allows(address), !address.isLoopback
    else { return }
    onConnection(connection, address)
  }

  private func failed() {
    link = nil
    failures += 1
    if failures == 1 { onEvent(.failed) }
    retry = loop.schedule(at: loop.now + GrowingDelay.stream.delay(after: failures, &jitter)) { [unowned self] in
      retry = nil
      open()
    }
  }
}

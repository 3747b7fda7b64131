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
  private let onEvent: (Event) -> Void
  private let onConnection: (consuming TCPConnection, IPAddress) -> Void
  private var link: LastingLink?

  /// Both functions are called from the loop, never during this call.
  init(
    loop: EventLoop, at address: ListenAddress, allowed: AllowList, onEvent: @escaping (Event) -> Void,
    onConnection: @escaping (consuming TCPConnection, IPAddress) -> Void
  ) {
    (self.address, self.allowed) = (address, allowed)
    (self.onEvent, self.onConnection) = (onEvent, onConnection)
    guard let order = NetworkOrder("accept-tcp-listen://\(address.text)?from=\(allowed.text)") else { return }
    link = LastingLink(loop: loop, order) { [unowned self] event in
      switch event {
      case .connected: onEvent(.listening)
      case .accepted: accept()
      case .ended: onEvent(.failed)
      case .received, .dropped: break
      }
    }
  }

  func close() {
    link?.close()
    link = nil
  }

  private func accept() {
    guard let connection = link?.link?.takeConnection(), let peer = connection.peer,
      let address = IPAddress(bytes: peer.bytes),
      allowed.allows(address), !address.isLoopback
    else { return }
    onConnection(connection, address)
  }
}

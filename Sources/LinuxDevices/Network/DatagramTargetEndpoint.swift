import LinuxIO
import NetworkSources

/// A target of datagrams: each message of the client is one. What cannot be sent now is dropped, because the next epoch replaces it.
final class DatagramTargetEndpoint: NetworkEndpoint {
  private let target: DatagramTarget
  private unowned let observer: any NetworkEndpointObserver
  private var socket: DatagramSocket?

  init(target: DatagramTarget, observer: any NetworkEndpointObserver) {
    (self.target, self.observer) = (target, observer)
  }

  func begin() {
    guard let address = NetworkAddress(numeric: target.server.host, port: target.server.port),
      // The kernel refuses the broadcast address of a network, which the address alone does not show.
      let made = try? DatagramSocket(sendingTo: address, mayBroadcast: target.mayBroadcast)
    else { return observer.failed(.unreachable) }
    socket = consume made
    observer.connected()
  }

  func send(_ bytes: [UInt8]) { _ = socket?.send(bytes) }
  func pause() {}
  func resume() {}

  func close() { socket = nil }
}

import Geodesy
import LinuxIO
import NetworkSources

/// A port of this machine for programs of other machines. Their connections are passed on as they are: nothing is read or written here.
final class AcceptingEndpoint: NetworkEndpoint {
  /// The time between two rows of connections, so that a flood can keep neither the other clients of this process waiting nor those of the
  /// service: at most 100 connections a second.
  private static let rest: Duration = .milliseconds(160)

  private let loop: EventLoop
  private let source: ListeningSource
  private unowned let observer: any NetworkEndpointObserver
  private var port: AcceptingPort?

  init(loop: EventLoop, source: ListeningSource, observer: any NetworkEndpointObserver) {
    (self.loop, self.source, self.observer) = (loop, source, observer)
  }

  func begin() {
    do throws(SystemError) {
      port = try AcceptingPort(loop: loop, at: source.local, rest: Self.rest) {
        [unowned self] (connection: consuming TCPConnection) in
        if isAllowed(connection) { observer.accepted(connection) } else { observer.dropped() }
      }
    } catch {
      return observer.failed(.unreachable)
    }
    observer.connected()
  }

  /// A user of this machine, who can connect to its address in the network, has an identity of his own and would get that of a machine.
  private func isAllowed(_ connection: borrowing TCPConnection) -> Bool {
    guard let peer = connection.peer, let address = IPAddress(bytes: peer.bytes) else { return false }
    return source.allowed.allows(address) && !address.isLoopback && !peer.isOfThisMachine
  }

  func send(_ bytes: [UInt8]) {}
  func pause() {}
  func resume() {}

  func close() {
    port?.close()
    port = nil
  }
}

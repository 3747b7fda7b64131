import Geodesy
import LinuxIO
import NetworkSources

/// A port of this machine for programs of other machines. Their connections are passed on as they are: nothing is read or written here.
final class AcceptingEndpoint: NetworkEndpoint {
  /// The most connections accepted in a row. Then the others wait in the kernel for this time, so that a flood can keep neither the other
  /// clients of this process waiting nor those of the service: at most 100 connections a second.
  private static let acceptsInRow = 16
  private static let rest: Duration = .milliseconds(160)

  private let loop: EventLoop
  private let source: ListeningSource
  private unowned let observer: any NetworkEndpointObserver
  private var listener: TCPListener?
  private var watch: WatchID?
  private var timer: TimerID?

  init(loop: EventLoop, source: ListeningSource, observer: any NetworkEndpointObserver) {
    (self.loop, self.source, self.observer) = (loop, source, observer)
  }

  func begin() {
    timer = loop.schedule(at: loop.now) { [unowned self] in
      timer = nil
      listen()
    }
  }

  private func listen() {
    guard let address = NetworkAddress(numeric: source.local.host, port: source.local.port) else {
      return observer.failed(.unreachable)
    }
    do throws(SystemError) {
      let listener = try TCPListener(at: address)
      watch = try loop.watch(listener.descriptor) { [unowned self] _ in accept() }
      self.listener = listener
    } catch {
      return observer.failed(.unreachable)
    }
    observer.connected()
  }

  private func accept() {
    for _ in 0..<Self.acceptsInRow {
      do throws(SystemError) {
        guard let connection = try listener?.accept() else { return }
        if isAllowed(connection) { observer.accepted(connection) } else { observer.dropped() }
      } catch {
        // Out of descriptors, for example.
        return rest(for: .seconds(1))
      }
    }
    rest(for: Self.rest)
  }

  /// A user of this machine, who can connect to its address in the network, has an identity of his own and would get that of a machine.
  private func isAllowed(_ connection: borrowing TCPConnection) -> Bool {
    guard let peer = connection.peer, let address = IPAddress(bytes: peer.bytes) else { return false }
    return source.allowed.allows(address) && !address.isLoopback && !peer.isOfThisMachine
  }

  private func rest(for time: Duration) {
    guard let watch else { return }
    loop.pause(watch)
    timer = loop.schedule(at: loop.now + time) { [unowned self] in
      timer = nil
      if let watch = self.watch { loop.resume(watch) }
    }
  }

  func send(_ bytes: [UInt8]) {}
  func pause() {}
  func resume() {}

  func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    listener = nil
  }
}

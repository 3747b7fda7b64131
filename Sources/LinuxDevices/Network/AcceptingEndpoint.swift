import Geodesy
import LinuxIO
import NetworkSources

/// A port of this machine for programs of other machines. Their connections are passed on as they are: nothing is read or written here.
final class AcceptingEndpoint: NetworkEndpoint {
  /// The most connections accepted in one turn of the loop, so that a flood cannot keep the other clients waiting.
  private static let acceptsPerTurn = 16
  /// More connections wait in the kernel.
  private static let acceptsPerSecond = 100

  private let loop: EventLoop
  private let source: ListeningSource
  private unowned let observer: any NetworkEndpointObserver
  private var listener: TCPListener?
  private var watch: WatchID?
  private var timer: TimerID?
  private var rate: RateLimit

  init(loop: EventLoop, source: ListeningSource, observer: any NetworkEndpointObserver) {
    (self.loop, self.source, self.observer) = (loop, source, observer)
    rate = RateLimit(perSecond: Self.acceptsPerSecond, burst: Self.acceptsPerSecond, at: loop.now)
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
    for _ in 0..<Self.acceptsPerTurn {
      guard rate.nextAt <= loop.now else { return rest(until: rate.nextAt) }
      do throws(SystemError) {
        guard let connection = try listener?.accept() else { return }
        _ = rate.tryAcquire(at: loop.now)
        if isAllowed(connection) { observer.accepted(connection) } else { observer.dropped() }
      } catch {
        // Out of descriptors, for example.
        return rest(until: loop.now + .seconds(1))
      }
    }
  }

  /// A user of this machine, who can connect to its address in the network, has an identity of his own and would get that of a machine.
  private func isAllowed(_ connection: borrowing TCPConnection) -> Bool {
    guard let peer = connection.peer, let address = IPAddress(bytes: peer.bytes) else { return false }
    return source.allowed.allows(address) && !address.isLoopback && !peer.isOfThisMachine
  }

  private func rest(until end: Instant) {
    guard let watch else { return }
    loop.pause(watch)
    timer = loop.schedule(at: end) { [unowned self] in
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

import Geodesy
import LinuxIO
import NetworkSources

/// A port of this machine on an event loop. Connections are accepted in short rows, so that a flood keeps nothing else waiting.
final class AcceptingPort {
  /// No connection is accepted for this long after accepting one has failed, as without free descriptors: it stays in the kernel, so that
  /// the loop would report it again and again.
  private static let restAfterFailure: Duration = .seconds(1)
  /// The most connections accepted in a row.
  private static let mostInRow = 16

  private let loop: EventLoop
  private let listener: TCPListener
  private let rest: Duration?
  private let body: (consuming TCPConnection) -> Void
  private var watch: WatchID?
  private var timer: TimerID?

  /// Listens; `body` is called from the loop, and not after `close`.
  ///
  /// - Parameter rest: after a row, further connections wait in the kernel for this time; `nil`: until the next turn of the loop.
  init(
    loop: EventLoop, at local: HostAndPort, rest: Duration? = nil, _ body: @escaping (consuming TCPConnection) -> Void
  ) throws(SystemError) {
    guard let address = NetworkAddress(numeric: local.host, port: local.port) else {
      throw SystemError(operation: "bind", errno: SystemError.noSuchThing)
    }
    (self.loop, self.rest, self.body) = (loop, rest, body)
    listener = try TCPListener(at: address)
    watch = try loop.watch(listener.descriptor) { [unowned self] _ in accept() }
  }

  deinit { close() }

  func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
  }

  private func accept() {
    // The receiver of a connection may release this port.
    withExtendedLifetime(self) {
      for _ in 0..<Self.mostInRow where watch != nil {
        do throws(SystemError) {
          guard let connection = try listener.accept() else { return }
          body(connection)
        } catch {
          return pause(for: Self.restAfterFailure)
        }
      }
      if let rest { pause(for: rest) }
    }
  }

  private func pause(for time: Duration) {
    guard let watch else { return }
    loop.pause(watch)
    timer = loop.schedule(at: loop.now + time) { [unowned self] in
      timer = nil
      loop.resume(watch)
    }
  }
}

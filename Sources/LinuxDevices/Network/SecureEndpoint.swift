import Geodesy
import LinuxIO
import NetworkSources

/// A connection with TLS, by libcurl, which verifies the server's certificate. The connection is made on a thread of its own, because
/// that blocks.
final class SecureEndpoint: NetworkEndpoint {
  /// The most that waits to be sent.
  private static let mostOutgoing = 8192

  private let loop: EventLoop
  private let server: HostAndPort
  private unowned let observer: any NetworkEndpointObserver
  private var connection: SecureConnection?
  private var isConnected = false
  /// Nothing is read, because what was read before has not been passed on.
  private var isPaused = false
  private var watch: WatchID?
  private var timer: TimerID?
  private var outgoing: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: NetworkMessage.longest)

  init(loop: EventLoop, server: HostAndPort, observer: any NetworkEndpointObserver) {
    (self.loop, self.server, self.observer) = (loop, server, observer)
  }

  func begin() {
    connection = SecureConnection(to: server)
    watch = connection.flatMap { try? loop.watch($0.descriptor) { [unowned self] _ in attempted() } }
    guard watch == nil else { return }
    timer = loop.schedule(at: loop.now) { [unowned self] in observer.failed(.unreachable) }
  }

  private func attempted() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    guard let connection else { return }
    if let problem = connection.problem { return observer.failed(problem) }
    watch = try? loop.watch(connection.socket) { [unowned self] readiness in
      if readiness.writable { flush() }
      if readiness.readable || readiness.hangUp || readiness.error { read() }
    }
    isConnected = true
    observer.connected()
  }

  private func read() {
    // The library may have decrypted more than one buffer holds; the kernel would not report that again.
    while !isPaused, let connection, watch != nil {
      switch connection.receive(into: &buffer) {
      case .bytes(let count): observer.received(buffer[..<count])
      case .wouldBlock: return
      case .endOfFile, .failed: return observer.failed(.closed)
      }
    }
  }

  func send(_ bytes: [UInt8]) {
    guard isConnected, outgoing.count + bytes.count <= Self.mostOutgoing else { return }
    outgoing += bytes
    flush()
  }

  private func flush() {
    guard let watch else { return }
    while let connection, !outgoing.isEmpty {
      guard let count = connection.send(outgoing) else { return loop.change(watch, to: [.readable, .writable]) }
      outgoing = outgoing.dropFirst(count)
    }
    loop.change(watch, to: .readable)
  }

  func pause() {
    isPaused = true
    if let watch { loop.pause(watch) }
  }

  func resume() {
    isPaused = false
    guard let watch else { return }
    loop.resume(watch)
    // What the library has decrypted is not reported by the kernel.
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(at: loop.now) { [unowned self] in read() }
  }

  func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    connection = nil
    outgoing = []
  }
}

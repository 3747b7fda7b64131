import Geodesy
import LinuxIO
import NetworkSources
import WireFormats

/// An address of this machine to which allowed peers send datagrams of whole sentences or messages. One of them is used at a time.
final class DatagramEndpoint: NetworkEndpoint {
  /// The datagrams of one turn of the loop, so that a flood cannot keep the other clients waiting.
  private static let mostPerTurn = 32
  /// More than a socket of the usual size holds (net.core.rmem_default: 212,992 bytes, each datagram at least 256 of them).
  private static let mostWaiting = 1024

  private let loop: EventLoop
  private let source: ListeningSource
  private unowned let observer: any NetworkEndpointObserver
  private var socket: DatagramSocket?
  private var watch: WatchID?
  // Programs use a new port for each datagram, or for each start; the machine stays the same.
  private var lock = PeerLock<IPAddress>()
  private var isPaused = false
  private var buffer = [UInt8](repeating: 0, count: NetworkMessage.longest)

  init(loop: EventLoop, source: ListeningSource, observer: any NetworkEndpointObserver) {
    (self.loop, self.source, self.observer) = (loop, source, observer)
  }

  func begin() {
    guard let address = NetworkAddress(numeric: source.local.host, port: source.local.port) else {
      return observer.failed(.unreachable)
    }
    do throws(SystemError) {
      let socket = try DatagramSocket(receivingAt: address)
      watch = try loop.watch(socket.descriptor) { [unowned self] _ in read() }
      self.socket = consume socket
    } catch {
      return observer.failed(.unreachable)
    }
    observer.connected()
  }

  private func read() {
    for _ in 0..<Self.mostPerTurn where !isPaused {
      guard let (count, sender) = socket?.receive(into: &buffer) else { return }
      guard let peer = IPAddress(bytes: sender.bytes), source.allowed.allows(peer) else {
        observer.dropped()
        continue
      }
      // A cut datagram must not be completed by the next one.
      let datagram = Array(buffer[..<count]) + (count > 0 && buffer[count - 1] != 0x0A ? [0x0D, 0x0A] : [])
      guard datagram.count <= NetworkMessage.longest else { continue }
      var scout = WireDecoder()
      scout.push(datagram.span) { _ in }
      if lock.accepts(peer, hasFrame: scout.counters.validFrames > 0, at: loop.now) {
        observer.received(datagram[...])
      } else {
        observer.dropped()
      }
    }
  }

  /// A source that listens only receives.
  func send(_ bytes: [UInt8]) {}

  func pause() {
    isPaused = true
    if let watch { loop.pause(watch) }
  }

  /// Datagrams that have waited are old, and dropped.
  func resume() {
    isPaused = false
    guard let watch else { return }
    for _ in 0..<Self.mostWaiting {
      guard socket?.receive(into: &buffer) != nil else { break }
      observer.dropped()
    }
    loop.resume(watch)
  }

  func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    socket = nil
  }
}

import Geodesy
import LinuxIO
import NetworkSources
import WireFormats

/// An address of this machine at which allowed peers connect. One of them is used at a time (`PeerLock`).
final class ListeningEndpoint: NetworkEndpoint {
  /// The most connections at a time; another one is closed.
  private static let mostPeers = 8
  /// The most connections accepted in one turn of the loop, so that a flood cannot keep the other clients waiting.
  private static let acceptsPerTurn = 16
  /// No connection is accepted for this long after accepting one has failed, as without free descriptors.
  private static let rest: Duration = .seconds(1)
  /// A peer that sends nothing for this long is disconnected.
  private static let longestSilence: Duration = .seconds(60)

  private let loop: EventLoop
  private let source: ListeningSource
  private unowned let observer: any NetworkEndpointObserver
  private var listener: TCPListener?
  private var watch: WatchID?
  private var timer: TimerID?
  private var lock = PeerLock<UInt64>()
  private var peers: [UInt64: Peer] = [:]
  private var nextPeer: UInt64 = 1
  private var isPaused = false
  private var buffer = [UInt8](repeating: 0, count: NetworkMessage.longest)

  private final class Peer {
    let connection: TCPConnection
    let watch: WatchID
    let timer: TimerID
    /// Detects whether the peer sends what a receiver sends.
    var scout = WireDecoder()

    init(_ connection: consuming TCPConnection, watch: WatchID, timer: TimerID) {
      self.connection = connection
      (self.watch, self.timer) = (watch, timer)
    }
  }

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
    for _ in 0..<Self.acceptsPerTurn {
      guard let connection = next() else { return }
      guard let address = connection.peer.flatMap({ IPAddress(bytes: $0.bytes) }), source.allowed.allows(address),
        peers.count < Self.mostPeers
      else {
        observer.dropped()
        continue
      }
      let number = nextPeer
      nextPeer += 1
      connection.keepAlive()
      guard let watch = try? loop.watch(connection.descriptor, { [unowned self] _ in read(number) }) else { continue }
      if isPaused { loop.pause(watch) }
      let timer = loop.schedule(at: loop.now + Self.longestSilence) { [unowned self] in drop(number) }
      peers[number] = Peer(connection, watch: watch, timer: timer)
    }
  }

  /// The next connection. It stays in the kernel if it cannot be accepted, so that the loop would report it again and again.
  private func next() -> TCPConnection? {
    do throws(SystemError) {
      return try listener?.accept()
    } catch {
      guard let watch else { return nil }
      loop.pause(watch)
      timer = loop.schedule(at: loop.now + Self.rest) { [unowned self] in
        timer = nil
        loop.resume(watch)
      }
      return nil
    }
  }

  private func read(_ number: UInt64) {
    guard let peer = peers[number] else { return }
    switch peer.connection.read(into: &buffer) {
    case .bytes(let count):
      loop.reschedule(peer.timer, at: loop.now + Self.longestSilence)
      let before = peer.scout.counters.validFrames
      let bytes = Array(buffer[..<count])
      peer.scout.push(bytes.span) { _ in }
      let hasFrame = peer.scout.counters.validFrames > before
      if lock.accepts(number, hasFrame: hasFrame, at: loop.now) {
        observer.received(buffer[..<count])
      } else if lock.current(at: loop.now) != nil {
        observer.dropped()
      }
    case .wouldBlock: break
    case .endOfFile, .failed: drop(number)
    }
  }

  private func drop(_ number: UInt64) {
    guard let peer = peers.removeValue(forKey: number) else { return }
    loop.unwatch(peer.watch)
    loop.cancel(peer.timer)
    lock.closed(number)
  }

  /// A source that listens only receives.
  func send(_ bytes: [UInt8]) {}

  func pause() {
    isPaused = true
    for peer in peers.values { loop.pause(peer.watch) }
  }

  func resume() {
    isPaused = false
    for peer in peers.values { loop.resume(peer.watch) }
  }

  func close() {
    for number in peers.keys { drop(number) }
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    listener = nil
  }
}

import Geodesy
import LinuxIO
import NetworkSources
import WireFormats

/// An address of this machine at which allowed peers connect. One of them is used at a time (`PeerLock`).
final class ListeningEndpoint: NetworkEndpoint {
  /// The most connections at a time; another one is closed.
  private static let mostPeers = 8
  /// A peer that sends nothing for this long is disconnected.
  private static let longestSilence: Duration = .seconds(60)

  private let loop: EventLoop
  private let source: ListeningSource
  private unowned let observer: any NetworkEndpointObserver
  private var port: AcceptingPort?
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
    do throws(SystemError) {
      port = try AcceptingPort(loop: loop, at: source.local) { [unowned self] (connection: consuming TCPConnection) in
        accept(connection)
      }
    } catch {
      return observer.failed(.unreachable)
    }
    observer.connected()
  }

  private func accept(_ connection: consuming TCPConnection) {
    guard let address = connection.peer.flatMap({ IPAddress(bytes: $0.bytes) }), source.allowed.allows(address),
      peers.count < Self.mostPeers
    else { return observer.dropped() }
    let number = nextPeer
    nextPeer += 1
    connection.keepAlive()
    guard let watch = try? loop.watch(connection.descriptor, { [unowned self] _ in read(number) }) else { return }
    if isPaused { loop.pause(watch) }
    let timer = loop.schedule(at: loop.now + Self.longestSilence) { [unowned self] in drop(number) }
    peers[number] = Peer(connection, watch: watch, timer: timer)
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
    port?.close()
    port = nil
  }
}

import Geodesy
import LinuxIO
import NetworkSources

/// A connection to a server, made to the first of its addresses that answers.
final class StreamEndpoint: NetworkEndpoint {
  /// An address that does not answer in this time is given up, if there is another one.
  private static let patience: Duration = .seconds(5)
  /// The most that waits to be sent: a request to a caster, or a position.
  private static let mostOutgoing = 8192

  private let loop: EventLoop
  private let server: HostAndPort
  private unowned let observer: any NetworkEndpointObserver
  private var lookup: NameLookup?
  private var addresses: [NetworkAddress] = []
  private var socket: TCPConnection?
  private var watch: WatchID?
  private var timer: TimerID?
  private var outgoing: ArraySlice<UInt8> = []
  private var buffer = [UInt8](repeating: 0, count: NetworkMessage.longest)

  init(loop: EventLoop, server: HostAndPort, observer: any NetworkEndpointObserver) {
    (self.loop, self.server, self.observer) = (loop, server, observer)
  }

  func begin() {
    if let numeric = NetworkAddress(numeric: server.host, port: server.port) {
      addresses = [numeric]
      timer = loop.schedule(at: loop.now) { [unowned self] in connect() }
      return
    }
    do throws(SystemError) {
      let lookup = try NameLookup(host: server.host, port: server.port)
      self.lookup = lookup
      watch = try loop.watch(lookup.descriptor) { [unowned self] _ in
        addresses = lookup.addresses
        guard !addresses.isEmpty else { return observer.failed(.noSuchHost) }
        connect()
      }
    } catch {
      timer = loop.schedule(at: loop.now) { [unowned self] in observer.failed(.unreachable) }
    }
  }

  private func connect() {
    drop()
    guard !addresses.isEmpty else { return observer.failed(.unreachable) }
    let address = addresses.removeFirst()
    do throws(SystemError) {
      let connection = try TCPConnection(to: address)
      watch = try loop.watch(connection.descriptor, for: .writable) { [unowned self] _ in connected() }
      socket = consume connection
    } catch {
      return connect()
    }
    // The client gives up the last one.
    guard !addresses.isEmpty else { return }
    timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in connect() }
  }

  private func connected() {
    guard socket?.failure() == nil, let watch else { return connect() }
    if let timer { loop.cancel(timer) }
    timer = nil
    addresses = []
    socket?.keepAlive()
    loop.unwatch(watch)
    guard let descriptor = socket?.descriptor else { return }
    self.watch = try? loop.watch(descriptor) { [unowned self] readiness in
      if readiness.writable { flush() }
      if readiness.readable || readiness.hangUp || readiness.error { read() }
    }
    observer.connected()
  }

  private func read() {
    switch socket?.read(into: &buffer) {
    case .bytes(let count): observer.received(buffer[..<count])
    case .wouldBlock, nil: break
    case .endOfFile, .failed: observer.failed(.closed)
    }
  }

  func send(_ bytes: [UInt8]) {
    guard watch != nil, outgoing.count + bytes.count <= Self.mostOutgoing else { return }
    outgoing += bytes
    flush()
  }

  private func flush() {
    guard let watch else { return }
    while !outgoing.isEmpty {
      switch socket?.write(outgoing) {
      case .written(let count): outgoing = outgoing.dropFirst(count)
      case .wouldBlock, nil: return loop.change(watch, to: [.readable, .writable])
      // The next read reports it.
      case .failed: outgoing = []
      }
    }
    loop.change(watch, to: .readable)
  }

  func pause() { if let watch { loop.pause(watch) } }
  func resume() { if let watch { loop.resume(watch) } }

  func close() {
    drop()
    outgoing = []
  }

  private func drop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
    lookup = nil
    socket = nil
  }
}

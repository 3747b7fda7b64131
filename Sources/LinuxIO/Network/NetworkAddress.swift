internal import CLinux
import Glibc
import Synchronization

/// An IPv4 or IPv6 address and a port, in the kernel's form.
package struct NetworkAddress: Sendable {
  let storage: sockaddr_storage
  let length: socklen_t

  init(storage: sockaddr_storage, length: socklen_t) {
    self.storage = storage
    self.length = length
  }

  /// A numeric address: `127.0.0.1`, `::1`, `fe80::1%eth0`; `nil` if `host` is not one.
  package init?(numeric host: String, port: UInt16) {
    guard let found = unsafe Self.resolve(host, port: port, flags: AI_NUMERICHOST | AI_NUMERICSERV).first else {
      return nil
    }
    self = found
  }

  @unsafe private init(_ info: UnsafePointer<addrinfo>) {
    var storage = sockaddr_storage()
    let length = unsafe min(Int(info.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
    unsafe withUnsafeMutableBytes(of: &storage) { buffer in
      guard let address = unsafe info.pointee.ai_addr else { return }
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
    }
    self.storage = storage
    self.length = socklen_t(length)
  }

  /// A host's addresses from the system's resolver, at most eight. Blocks, possibly for seconds if `host` is a name.
  @unsafe static func resolve(_ host: String, port: UInt16, flags: Int32) -> [NetworkAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = flags
    var first: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &first) == 0 else { return [] }
    defer { unsafe freeaddrinfo(first) }
    var addresses: [NetworkAddress] = []
    var next = unsafe first
    while let info = unsafe next, addresses.count < 8 {
      addresses.append(unsafe NetworkAddress(info))
      unsafe next = info.pointee.ai_next
    }
    return addresses
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// Binds a socket to this address.
  func bind(_ socket: Int32) throws(SystemError) {
    try SystemCall.run("bind") {
      unsafe with { unsafe Glibc.bind(socket, __CONST_SOCKADDR_ARG(__sockaddr__: $0), $1) }
    }
  }

  /// Starts to connect a socket; the attempt has ended when the socket is writable.
  func connect(_ socket: Int32) throws(SystemError) {
    do throws(SystemError) {
      try SystemCall.run("connect") {
        unsafe with { unsafe Glibc.connect(socket, __CONST_SOCKADDR_ARG(__sockaddr__: $0), $1) }
      }
    } catch {
      guard error.errno == EINPROGRESS else { throw error }
    }
  }
}

/// Looks up a host's addresses on its own thread, because the resolver blocks.
package final class NameLookup: Sendable {
  private let found = Mutex<[NetworkAddress]>([])
  private let signal: ThreadSignal

  /// Starts to look up `host`.
  package init(host: String, port: UInt16) throws(SystemError) {
    signal = try ThreadSignal()
    // The thread is not joined, because the resolver may block for long.
    _ = try WorkerThread(name: "name lookup") { [self] in run(host, port: port) }
  }

  /// Readable when the lookup is complete.
  package var descriptor: Int32 { signal.descriptor }

  /// The addresses; empty if none was found, or while the lookup is not complete.
  package var addresses: [NetworkAddress] { found.withLock { $0 } }

  private func run(_ host: String, port: UInt16) {
    let addresses = unsafe NetworkAddress.resolve(host, port: port, flags: AI_NUMERICSERV | AI_ADDRCONFIG)
    found.withLock { $0 = addresses }
    signal.send()
  }
}

/// A nonblocking stream socket to another program.
package struct TCPConnection: ~Copyable {
  private let owned: OwnedDescriptor

  /// A connection that was accepted.
  init(accepted: consuming OwnedDescriptor) { owned = accepted }

  /// Starts to connect; the descriptor is writable when that has succeeded or failed.
  package init(to address: NetworkAddress) throws(SystemError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(address.family, type, 0) })
    try address.connect(owned.rawValue)
    self.owned = owned
  }

  package var descriptor: Int32 { owned.rawValue }

  /// Why the connection failed; `nil` if it is established.
  package func failure() -> SystemError? {
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(owned.rawValue, SOL_SOCKET, SO_ERROR, &number, &size)
    let problem = result == 0 ? number : errno
    return problem == 0 ? nil : SystemError(operation: "connect", errno: problem)
  }

  package func read(into buffer: inout [UInt8]) -> ReadResult { Transfer.read(owned.rawValue, into: &buffer) }

  /// Writes; if the peer has closed the connection, that is an error and never a signal.
  package func write(_ bytes: [UInt8]) -> WriteResult { Transfer.send(owned.rawValue, bytes[...]) }

  /// The same for the rest of a message.
  package func write(_ bytes: ArraySlice<UInt8>) -> WriteResult { Transfer.send(owned.rawValue, bytes) }

  /// Detects a peer that vanished without closing: after 10 s without data, three probes at intervals of 5 s.
  package func keepAlive() {
    let options: [(Int32, Int32, Int32)] = [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
      (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
    ]
    // If this fails, a vanished peer is detected by its silence.
    for (level, name, value) in options { SocketOption.set(owned.rawValue, level, name, value) }
  }
}

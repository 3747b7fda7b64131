internal import CLinux
import Glibc
import Synchronization

/// An IPv4 or IPv6 address and a port, in the kernel's form.
package struct NetworkAddress: Sendable {
  fileprivate let storage: sockaddr_storage
  fileprivate let length: socklen_t

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

  /// Starts to connect a socket; complete when the socket is writable.
  func connect(_ socket: Int32) throws(SystemError) {
    do throws(SystemError) {
      try SystemCall.run("connect") {
        var copy = storage
        return unsafe withUnsafeMutablePointer(to: &copy) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe Glibc.connect(socket, __CONST_SOCKADDR_ARG(__sockaddr__: UnsafePointer($0)), length)
          }
        }
      }
    } catch {
      guard error.errno == EINPROGRESS else { throw error }
    }
  }
}

/// Looks up a host's addresses on its own thread, because the resolver blocks.
package final class NameLookup: Sendable {
  private let found = Mutex<[NetworkAddress]>([])
  private let reading: OwnedReference
  private let writing: OwnedReference

  /// A descriptor that can be shared.
  private final class OwnedReference: Sendable {
    let descriptor: OwnedDescriptor
    init(_ rawValue: Int32) { descriptor = OwnedDescriptor(rawValue: rawValue) }
  }

  /// Starts to look up `host`.
  package init(host: String, port: UInt16) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.run("pipe2") { unsafe pipe2(&ends, Int32(O_CLOEXEC | O_NONBLOCK)) }
    reading = OwnedReference(ends[0])
    writing = OwnedReference(ends[1])
    // The thread is not joined, because the resolver may block for long.
    _ = try WorkerThread(name: "name lookup") { [self] in run(host, port: port) }
  }

  /// Readable when the lookup is complete.
  package var descriptor: Int32 { reading.descriptor.rawValue }

  /// The addresses; empty if the host does not exist, or while the lookup is not complete.
  package var addresses: [NetworkAddress] { found.withLock { $0 } }

  private func run(_ host: String, port: UInt16) {
    let addresses = unsafe NetworkAddress.resolve(host, port: port, flags: AI_NUMERICSERV | AI_ADDRCONFIG)
    found.withLock { $0 = addresses }
    var byte: UInt8 = 1
    _ = unsafe write(writing.descriptor.rawValue, &byte, 1)
  }
}

/// A nonblocking stream socket to another program.
package struct TCPConnection: ~Copyable {
  private let owned: OwnedDescriptor

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

  package func write(_ bytes: [UInt8]) -> WriteResult { Transfer.write(owned.rawValue, bytes[...]) }
}

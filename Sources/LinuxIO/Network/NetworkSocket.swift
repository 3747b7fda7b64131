import Glibc

/// The peer of a socket beyond this process.
extension NetworkAddress {
  /// The address in four or 16 bytes, in network order; empty for another family.
  package var bytes: [UInt8] {
    var copy = storage
    return unsafe withUnsafeBytes(of: &copy) { bytes in
      // sockaddr_in and sockaddr_in6 of ip(7) and ipv6(7): family, port, then the address, or the flow label before it.
      switch family {
      case AF_INET: unsafe Array(bytes[4..<8])
      case AF_INET6: unsafe Array(bytes[8..<24])
      default: []
      }
    }
  }

  /// The port.
  package var port: UInt16 {
    var copy = storage
    return unsafe withUnsafeBytes(of: &copy) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// `127.0.0.1:2947` or `[::1]:2947`; `nil` if it cannot be written.
  var text: String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: 8)
    let isNamed = unsafe with { address, length in
      unsafe getnameinfo(
        address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
        == 0
    }
    guard isNamed else { return nil }
    func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return family == AF_INET6 ? "[\(text(host))]:\(text(port))" : "\(text(host)):\(text(port))"
  }

  /// The address of the socket's peer, or the socket's own, by `call`.
  static func of(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> NetworkAddress?
  {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
    }
    return result < 0 ? nil : NetworkAddress(storage: storage, length: length)
  }

  /// Calls `body` with the address in the kernel's form.
  func with<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var copy = storage
    return unsafe withUnsafeMutablePointer(to: &copy) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}

enum SocketOption {
  /// Sets an option; a kernel that does not have it keeps its default.
  static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    _ = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

extension TCPConnection {
  /// The address of the peer; `nil`: it is gone.
  package var peer: NetworkAddress? {
    let fd = descriptor
    return unsafe NetworkAddress.of { unsafe getpeername(fd, __SOCKADDR_ARG(__sockaddr__: $0), $1) }
  }
}

/// A nonblocking socket for datagrams.
package struct DatagramSocket: ~Copyable {
  private let owned: OwnedDescriptor

  private init(_ address: NetworkAddress, _ prepare: (Int32) throws(SystemError) -> Void) throws(SystemError) {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(address.family, type, 0) })
    try prepare(owned.rawValue)
    self.owned = owned
  }

  /// Receives at an address of this machine.
  package init(receivingAt address: NetworkAddress) throws(SystemError) {
    try self.init(address) { (fd: Int32) throws(SystemError) in try address.bind(fd) }
  }

  /// Sends to an address.
  ///
  /// - Parameter mayBroadcast: without it, the kernel refuses a broadcast address (`EACCES`).
  package init(sendingTo address: NetworkAddress, mayBroadcast: Bool) throws(SystemError) {
    try self.init(address) { (fd: Int32) throws(SystemError) in
      if mayBroadcast { SocketOption.set(fd, SOL_SOCKET, SO_BROADCAST, 1) }
      try address.connect(fd)
    }
  }

  /// Sends one datagram.
  package func send(_ bytes: [UInt8]) -> WriteResult { Transfer.send(owned.rawValue, bytes[...]) }

  package var descriptor: Int32 { owned.rawValue }

  /// The next datagram, as far as it fits into the buffer, and its sender; `nil`: none waits.
  package func receive(into buffer: inout [UInt8]) -> (count: Int, sender: NetworkAddress)? {
    let fd = owned.rawValue
    var count = 0
    let sender = unsafe NetworkAddress.of { address, length in
      count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recvfrom(fd, $0.baseAddress, $0.count, 0, __SOCKADDR_ARG(__sockaddr__: address), length)
      }
      return count < 0 ? -1 : 0
    }
    return sender.map { (count, $0) }
  }
}

import Glibc

/// An IPv4 or IPv6 address and a port, as the kernel takes it.
package struct NetworkAddress: Sendable {
  fileprivate let storage: sockaddr_storage
  fileprivate let length: socklen_t

  /// A numeric address: `127.0.0.1`, `::1`, `fe80::1%eth0`; `nil` where it is none.
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

  /// What the system's resolver knows of a host, at most eight addresses. A name may take it seconds.
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

  /// Begins to connect a socket; done when the socket is writable.
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

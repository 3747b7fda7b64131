import Glibc

/// A stream socket to another program, which never waits.
package struct TCPConnection: ~Copyable {
  private let owned: OwnedDescriptor

  /// Begins to connect; the descriptor is writable when that has come to an end, one way or the other.
  package init(to address: NetworkAddress) throws(SystemError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(address.family, type, 0) })
    try address.connect(owned.rawValue)
    self.owned = owned
  }

  package var descriptor: Int32 { owned.rawValue }

  /// Why the connection could not be made; `nil`: it stands.
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

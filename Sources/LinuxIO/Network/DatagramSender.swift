import Glibc

/// Sends datagrams to Unix sockets by their paths. The path is looked up each time, so that a socket that was created again is reached.
package struct DatagramSender: ~Copyable {
  private let owned: OwnedDescriptor

  package init() throws(SystemError) {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(AF_UNIX, type, 0) })
  }

  /// Sends a datagram. `ENOENT`, `ECONNREFUSED`: no process has the socket; `EACCES`: this user may not write to it; `EAGAIN`: its
  /// reader is too slow.
  package func send(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let address = try UnixAddress(path: path)
    let fd = owned.rawValue
    try SystemCall.run("sendto") {
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe address.with { pointer, length in
          unsafe sendto(
            fd, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL), __CONST_SOCKADDR_ARG(__sockaddr__: pointer),
            length)
        }
      }
    }
  }
}

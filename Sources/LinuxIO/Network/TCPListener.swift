internal import CLinux
import Glibc

/// A listening TCP socket.
package final class TCPListener {
  private let owned: OwnedDescriptor

  /// Connections that wait to be accepted; the kernel applies its own limit (net.core.somaxconn) if that is lower.
  private static let backlog: Int32 = 4096

  /// Listens at an address, IPv6 without IPv4. `EADDRINUSE`: another socket listens there.
  package init(at address: NetworkAddress) throws(SystemError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { socket(address.family, type, 0) })
    let fd = owned.rawValue
    // Old connections of an earlier process do not keep the port.
    try Self.switchOn(SO_REUSEADDR, SOL_SOCKET, of: fd)
    if address.family == AF_INET6 { try Self.switchOn(IPV6_V6ONLY, Int32(IPPROTO_IPV6), of: fd) }
    try address.bind(fd)
    try SystemCall.run("listen") { listen(fd, Self.backlog) }
  }

  /// A socket on which the parent process listens already.
  package init(inherited descriptor: consuming OwnedDescriptor) { owned = descriptor }

  package var descriptor: Int32 { owned.rawValue }

  /// The address at which it listens, `127.0.0.1:2947` or `[::1]:2947`; empty if the kernel does not report it.
  package var address: String {
    let fd = owned.rawValue
    let address = unsafe NetworkAddress.of { unsafe getsockname(fd, __SOCKADDR_ARG(__sockaddr__: $0), $1) }
    return address?.text ?? ""
  }

  /// The next connection; `nil` if none waits, or the client has disconnected already.
  package func accept() throws(SystemError) -> TCPConnection? {
    let fd = owned.rawValue
    do throws(SystemError) {
      let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let accepted = try SystemCall.run("accept") { unsafe accept4(fd, __SOCKADDR_ARG(__sockaddr__: nil), nil, flags) }
      return TCPConnection(accepted: OwnedDescriptor(rawValue: accepted))
    } catch {
      if error.errno == EAGAIN || error.errno == ECONNABORTED { return nil }
      throw error
    }
  }

  private static func switchOn(_ option: Int32, _ level: Int32, of fd: Int32) throws(SystemError) {
    var on: Int32 = 1
    try SystemCall.run("setsockopt") {
      unsafe setsockopt(fd, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}

extension TCPConnection {
  /// Sends small writes at once, and limits the kernel's send buffer for a slow reader, bytes: data in it can no longer be replaced.
  package func prepare(sendBuffer bytes: Int) {
    // If either fails, the kernel keeps its default.
    _ = clinux_send_at_once(descriptor)
    SocketOption.set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: bytes))
  }

  /// Sends the last bytes to a client that is refused. What it has sent is read first: otherwise the kernel would reset the
  /// connection when it is closed, and the client would lose these bytes.
  package func refuse(with bytes: [UInt8]) {
    _ = Transfer.send(descriptor, bytes[...])
    _ = clinux_end_sending(descriptor)
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = Transfer.read(descriptor, into: &buffer)
  }
}

/// The limit of open descriptors of this process.
package enum DescriptorLimit {
  /// Raises the limit as far as this process may; returns the limit.
  package static func raise(to wanted: Int) -> Int { Int(clinux_raise_descriptors(Int32(clamping: wanted))) }
}

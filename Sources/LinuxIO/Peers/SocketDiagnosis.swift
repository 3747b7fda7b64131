internal import CLinux
import Glibc

/// Asks the kernel whose socket the other end of a TCP connection within this machine is (sock_diag(7)). No privilege is needed.
package struct SocketDiagnosis: ~Copyable {
  /// TCP_ESTABLISHED (netinet/tcp.h).
  private static let established: UInt32 = 1

  private let owned: OwnedDescriptor

  /// The protocol of the sockets, as a number of IP (IPPROTO_TCP).
  private let protocolNumber: Int32

  /// - Parameter protocolNumber: another one only in tests, for which the kernel has no module.
  package init(protocolNumber: Int32 = Int32(IPPROTO_TCP)) throws(SystemError) {
    self.protocolNumber = protocolNumber
    owned = OwnedDescriptor(rawValue: try SystemCall.run("socket") { clinux_diagnosis_socket() })
  }

  /// Whether the kernel can name owners at all. Without its module tcp_diag, it reports every socket as absent (`ENOENT`), as it does for a
  /// connection that has ended; a socket that listens is certainly there.
  package func isAvailable(for listener: borrowing TCPListener) -> Bool {
    let descriptor = listener.descriptor
    do throws(SystemError) {
      try SystemCall.run("sock_diag") { clinux_check_diagnosis(owned.rawValue, descriptor, protocolNumber) }
    } catch {
      // Another problem is reported with the connection that it concerns.
      return error.errno != ENOENT
    }
    return true
  }

  /// The owner of the other end, now. Ask again before anything is sent that not everybody may have.
  package func owner(of stream: borrowing TCPConnection) throws(SocketOwnerError) -> SocketOwner {
    var found = clinux_socket_owner()
    let descriptor = stream.descriptor
    do throws(SystemError) {
      try SystemCall.run("sock_diag") { unsafe clinux_socket_owner(owned.rawValue, descriptor, protocolNumber, &found) }
    } catch {
      switch error.errno {
      case EADDRNOTAVAIL: throw .notLocal
      // The client has reset or closed the connection.
      case ENOENT, ENOTCONN: throw .gone
      default: throw .system(error)
      }
    }
    // A socket that its process has closed belongs to user 0 with inode 0, and would be taken for root's.
    guard found.state == Self.established, found.inode != 0 else { throw .closing }
    return SocketOwner(
      userID: found.user, inode: found.inode, controlGroupID: found.control_group == 0 ? nil : found.control_group)
  }
}

/// A process's socket, as the kernel describes it.
package struct SocketOwner: Hashable, Sendable {
  /// The effective user of the process that created the socket.
  package let userID: UInt32
  /// The inode of the socket.
  package let inode: UInt32
  /// The kernel's number of the process's control group when the socket was created (version 2); `nil` before Linux 5.9.
  package let controlGroupID: UInt64?
}

/// Why the owner of the other end is not known. Such a client has no identity.
package enum SocketOwnerError: Error, Hashable, Sendable {
  /// The connection is not one over the loopback interface.
  case notLocal
  /// There is no such socket: the connection has ended, or the other end is outside of this network namespace.
  case gone
  /// The client has closed the connection or its sending direction.
  case closing
  case system(SystemError)
}

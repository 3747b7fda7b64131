internal import CNetlink
internal import Glibc
internal import LinuxIO

/// A nonblocking generic netlink socket. Messages are encoded and decoded elsewhere.
@safe struct NetlinkSocket: ~Copyable {
  // Safe: this is the only copy of the pointer, released once, in `deinit`.
  private let raw: OpaquePointer

  /// The result of reading from the socket.
  enum Reception {
    /// A datagram of this many bytes from the kernel, at the beginning of the buffer.
    case datagram(Int)
    /// A datagram from a sender other than the kernel, or longer than the buffer.
    case rejected
    /// The socket overflowed: messages were lost.
    case overflow
    case nothing
    case failed(SystemError)
  }

  /// Size of the longest datagram in bytes: the kernel splits its lists at 32 KiB (net/netlink/af_netlink.c,
  /// netlink_dump).
  static let datagramSize = 64 * 1024
  /// Size of the receive buffer, for the events of a scan and the longest list while the loop is busy; the usual 8 KiB
  /// overflow in every second scan.
  private static let receiveRoom: Int32 = 1 << 20

  init() throws(SystemError) {
    guard let raw = unsafe nl_socket_alloc() else { throw SystemError(operation: "nl_socket_alloc", errno: ENOMEM) }
    errno = 0
    guard unsafe genl_connect(raw) >= 0, unsafe nl_socket_set_nonblocking(raw) >= 0 else {
      let number = errno
      unsafe nl_socket_free(raw)
      throw SystemError(operation: "genl_connect", errno: number == 0 ? EPROTONOSUPPORT : number)
    }
    unsafe self.raw = raw
    makeRoom()
  }

  deinit { unsafe nl_socket_free(raw) }

  var fileDescriptor: Int32 { unsafe nl_socket_get_fd(raw) }

  /// Sets the receive buffer; exceeds the limit for users if this process has the privilege.
  private func makeRoom() {
    var size = Self.receiveRoom
    let length = socklen_t(MemoryLayout<Int32>.size)
    for option in [SO_RCVBUFFORCE, SO_RCVBUF] {
      if unsafe setsockopt(fileDescriptor, SOL_SOCKET, option, &size, length) == 0 { return }
    }
  }

  /// Subscribes to the messages that the kernel sends to the group.
  func join(_ group: UInt32) throws(SystemError) {
    errno = 0
    guard unsafe nl_socket_add_membership(raw, Int32(clamping: group)) >= 0 else {
      throw SystemError(operation: "nl_socket_add_membership", errno: errno)
    }
  }

  /// Sends a message to the kernel, which has processed it when this call returns.
  func send(_ message: [UInt8]) throws(SystemError) {
    errno = 0
    let sent = unsafe message.withUnsafeBytes { bytes in
      // The library does not write to the buffer.
      unsafe nl_sendto(raw, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
    guard sent == Int32(message.count) else { throw SystemError(operation: "nl_sendto", errno: errno) }
  }

  /// The next datagram. Never blocks.
  func receive(into buffer: inout [UInt8]) -> Reception {
    var sender = sockaddr_nl()
    let room = buffer.count
    let length = unsafe withUnsafeMutableBytes(of: &sender) { sender in
      unsafe buffer.withUnsafeMutableBytes { bytes in
        var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var head = unsafe msghdr()
          unsafe head.msg_name = sender.baseAddress
          unsafe head.msg_namelen = socklen_t(sender.count)
          unsafe head.msg_iov = part
          unsafe head.msg_iovlen = 1
          // MSG_TRUNC returns the real length of the datagram, not that of the part that fits.
          return unsafe recvmsg(fileDescriptor, &head, Int32(MSG_TRUNC))
        }
      }
    }
    guard length >= 0 else {
      switch errno {
      case EAGAIN, EINTR: return .nothing
      case ENOBUFS: return .overflow
      default: return .failed(SystemError(operation: "recvfrom", errno: errno))
      }
    }
    // A privileged process can also send to this socket; only the kernel has port 0.
    return length > 0 && length <= room && sender.nl_pid == 0 ? .datagram(length) : .rejected
  }
}

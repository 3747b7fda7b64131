internal import CNetlink
import Geodesy
internal import Glibc
package import LinuxIO

/// Reports that the network may be back: this machine has another address or another route (rtnetlink(7)).
package final class NetworkChanges {
  /// An address and its routes come together; they are reported once.
  private static let delay: Duration = .milliseconds(300)
  /// linux/rtnetlink.h: RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
  private static let groups: UInt32 = 0x10 | 0x40 | 0x100 | 0x400
  /// RTM_NEWADDR and RTM_NEWROUTE.
  private static let additions: [UInt16] = [20, 24]
  /// The length and the type of a message are the first fields of its header of 16 bytes; messages are aligned to 4 bytes.
  private static let headerSize = 16

  private let loop: EventLoop
  private let body: () -> Void
  private let socket: OwnedDescriptor
  private var buffer = [UInt8](repeating: 0, count: 32 * 1024)
  private var watch: WatchID?
  private var timer: TimerID?

  /// Calls `body` from the loop, until this is released.
  package init(loop: EventLoop, _ body: @escaping () -> Void) throws(SystemError) {
    (self.loop, self.body) = (loop, body)
    let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_NETLINK, type, Int32(NETLINK_ROUTE))
    guard descriptor >= 0 else { throw SystemError(operation: "socket", errno: errno) }
    socket = OwnedDescriptor(rawValue: descriptor)
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = Self.groups
    let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    guard result == 0 else { throw SystemError(operation: "bind", errno: errno) }
    watch = try loop.watch(descriptor) { [unowned self] _ in drain() }
  }

  deinit {
    if let watch { loop.unwatch(watch) }
    if let timer { loop.cancel(timer) }
  }

  private func drain() {
    var hasAddition = false
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe recv(socket.rawValue, bytes.baseAddress, bytes.count, 0)
      }
      // After an overflow, what was lost may have been an addition.
      if count < 0, errno == ENOBUFS { hasAddition = true }
      guard count > 0 else { break }
      hasAddition = hasAddition || Self.hasAddition(buffer[..<count])
    }
    guard hasAddition, timer == nil else { return }
    timer = loop.schedule(at: loop.now + Self.delay) { [weak self] in
      self?.timer = nil
      self?.body()
    }
  }

  /// Whether one of the messages of a datagram reports an addition.
  package static func hasAddition(_ datagram: ArraySlice<UInt8>) -> Bool {
    var rest = datagram
    while rest.count >= headerSize {
      let start = rest.startIndex
      let length = (0..<4).reduce(0) { $0 | Int(rest[start + $1]) << (8 * $1) }
      guard length >= headerSize, length <= rest.count else { return false }
      if additions.contains(UInt16(rest[start + 4]) | UInt16(rest[start + 5]) << 8) { return true }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return false
  }
}

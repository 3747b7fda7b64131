/// Decodes the datagrams of a generic netlink socket. A datagram contains one or more messages from the kernel itself, the generic
/// netlink controller and nl80211 (include/uapi/linux/netlink.h, genetlink.h, nl80211.h). Allocates no heap memory.
///
/// The decoder delivers a message completely or not at all. If a message exceeds its datagram, the rest of the datagram is lost,
/// because the start of the next message is unknown.
package struct NetlinkDecoder: Sendable {
  /// The controller's type (`GENL_ID_CTRL`), the lowest of any family; lower types are the kernel's own (`NLMSG_MIN_TYPE`).
  static let controller: UInt16 = 0x10

  /// `struct nlmsghdr`.
  private static let headerLength = 16
  /// `struct genlmsghdr`.
  private static let genericHeaderLength = 4

  /// The family ID of nl80211; `nil` until it is known. While it is `nil`, nl80211 messages count as unknown.
  package var family: UInt16?

  /// Messages delivered. Counts wrap around.
  package private(set) var decoded: UInt64 = 0
  /// Malformed messages, and datagram tails that cannot be divided into messages.
  package private(set) var malformed: UInt64 = 0
  /// Well-formed messages of types that this decoder does not read.
  package private(set) var unknown: UInt64 = 0

  package init(family: UInt16? = nil) { self.family = family }

  private enum Outcome {
    case message(NetlinkMessage)
    case malformed
    case unknown
  }

  /// Calls `body` with each message of one datagram, in order.
  package mutating func decode(_ datagram: Span<UInt8>, _ body: (NetlinkEnvelope, NetlinkMessage) -> Void) {
    var offset = 0
    while datagram.count - offset >= Self.headerLength {
      let length = Int(datagram.u4(offset))
      guard length >= Self.headerLength, length <= datagram.count - offset else {
        malformed &+= 1
        return
      }
      let envelope = NetlinkEnvelope(
        sequence: datagram.u4(offset + 8), portID: datagram.u4(offset + 12),
        isInterrupted: datagram.u2(offset + 6) & 0x10 != 0)  // NLM_F_DUMP_INTR
      let content = offset + Self.headerLength..<offset + length
      switch read(type: datagram.u2(offset + 4), datagram, content) {
      case .message(let message):
        decoded &+= 1
        body(envelope, message)
      case .malformed: malformed &+= 1
      case .unknown: unknown &+= 1
      }
      // NLMSG_ALIGN.
      offset = min(datagram.count, offset + (length + 3) & ~3)
    }
    if offset < datagram.count { malformed &+= 1 }
  }

  private func read(type: UInt16, _ datagram: Span<UInt8>, _ content: Range<Int>) -> Outcome {
    switch type {
    case 1: return .unknown  // NLMSG_NOOP
    case 2:  // NLMSG_ERROR: struct nlmsgerr
      guard content.count >= 4, let number = Self.errno(datagram.i4(content.lowerBound)) else { return .malformed }
      return .message(number == 0 ? .acknowledged : .refused(errno: number))
    case 3:  // NLMSG_DONE: an error number, if there is any content
      guard content.count >= 4 else { return content.isEmpty ? .message(.listEnded(errno: 0)) : .malformed }
      guard let number = Self.errno(datagram.i4(content.lowerBound)) else { return .malformed }
      return .message(.listEnded(errno: number))
    case 4: return .message(.overrun)  // NLMSG_OVERRUN
    default: break
    }
    guard type == Self.controller || type == family else { return .unknown }
    guard content.count >= Self.genericHeaderLength else { return .malformed }
    let command = datagram[content.lowerBound]
    let attributes = content.lowerBound + Self.genericHeaderLength..<content.upperBound
    if type == family { return Self.readWireless(command, datagram, attributes) }
    guard command == 1 else { return .unknown }  // CTRL_CMD_NEWFAMILY
    return WirelessFamily(datagram, attributes: attributes).map { .message(.family($0)) } ?? .malformed
  }

  /// The positive `errno` of a value from the kernel, which must be 0 or a negated error number (at most `MAX_ERRNO`).
  private static func errno(_ value: Int32) -> Int32? { (-4095...0).contains(value) ? -value : nil }

  private static func readWireless(_ command: UInt8, _ datagram: Span<UInt8>, _ range: Range<Int>) -> Outcome {
    // Commands of `enum nl80211_commands`; this decoder needs only a few of them.
    switch command {
    case 6...8, 33...35: break
    default: return .unknown
    }
    guard let head = WirelessAttributes(datagram, range) else { return .malformed }
    let notice = ScanEvent(interfaceIndex: head.interfaceIndex, radioIndex: head.radioIndex)
    switch command {
    case 6, 7:  // NL80211_CMD_SET_INTERFACE, NL80211_CMD_NEW_INTERFACE
      // A P2P device has no interface index, and no request in this module applies to it.
      guard let index = head.interfaceIndex, let radio = head.radioIndex, let kind = head.interfaceKind else {
        return .unknown
      }
      return .message(
        .interface(
          WirelessInterface(
            index: index, radioIndex: radio, kind: WirelessInterface.Kind(rawValue: kind), name: head.interfaceName,
            address: head.address)))
    case 8:  // NL80211_CMD_DEL_INTERFACE
      guard let index = head.interfaceIndex else { return .unknown }
      return .message(.interfaceGone(index: index))
    case 33: return .message(.scanStarted(notice))  // NL80211_CMD_TRIGGER_SCAN
    case 34:  // NL80211_CMD_NEW_SCAN_RESULTS
      guard let entry = head.entry else { return .message(.scanFinished(notice)) }
      let read = AccessPointEntry(
        datagram, attributes: entry, interfaceIndex: head.interfaceIndex, generation: head.generation)
      return read.map { .message(.accessPoint($0)) } ?? .malformed
    default: return .message(.scanAborted(notice))  // NL80211_CMD_SCAN_ABORTED
    }
  }
}

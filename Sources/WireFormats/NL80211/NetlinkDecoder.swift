/// Decodes what comes on a generic netlink socket, a datagram at a time: several messages, of the kernel itself, of the generic
/// netlink controller and of nl80211 (include/uapi/linux/netlink.h, genetlink.h, nl80211.h). Takes nothing from the heap.
///
/// A message is handed on whole or not at all. Where one does not fit into its datagram nothing behind it can be found.
package struct NetlinkDecoder: Sendable {
  /// The controller's number (`GENL_ID_CTRL`), the lowest of a family; below are the kernel's own messages (`NLMSG_MIN_TYPE`).
  static let controller: UInt16 = 0x10

  /// `struct nlmsghdr`.
  private static let headerLength = 16
  /// `struct genlmsghdr`.
  private static let genericHeaderLength = 4

  /// The number of nl80211; `nil` until it is known, and then its messages are none of ours.
  package var family: UInt16?

  /// Messages that were handed on. Counts wrap around.
  package private(set) var decoded: UInt64 = 0
  /// Messages, and ends of datagrams, that are not what their head says.
  package private(set) var malformed: UInt64 = 0
  /// Messages that are whole, and that nobody here reads.
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
    case 3:  // NLMSG_DONE: a number, where there is any content
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

  /// `errno` of what the kernel writes, which is 0 or minus one of its error numbers (`MAX_ERRNO`).
  private static func errno(_ value: Int32) -> Int32? { (-4095...0).contains(value) ? -value : nil }

  private static func readWireless(_ command: UInt8, _ datagram: Span<UInt8>, _ range: Range<Int>) -> Outcome {
    // Commands of `enum nl80211_commands`; most say what nobody here wants to know.
    switch command {
    case 6...8, 33...35: break
    default: return .unknown
    }
    guard let head = WirelessAttributes(datagram, range) else { return .malformed }
    let notice = ScanNotice(interfaceIndex: head.interfaceIndex, radioIndex: head.radioIndex)
    switch command {
    case 6, 7:  // NL80211_CMD_SET_INTERFACE, NL80211_CMD_NEW_INTERFACE
      // A P2P device has no number, and nothing that could be asked of it here.
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

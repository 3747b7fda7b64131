/// A Wi-Fi related message from the kernel on a generic netlink socket.
package enum NetlinkMessage: Hashable, Sendable {
  /// The request succeeded (`NLMSG_ERROR` with 0).
  case acknowledged
  /// The request failed (`NLMSG_ERROR`): `errno`, positive.
  case refused(errno: Int32)
  /// The end of a list (`NLMSG_DONE`): 0, or the positive `errno` that ended it early.
  case listEnded(errno: Int32)
  /// The kernel dropped messages for this socket (`NLMSG_OVERRUN`).
  case overrun
  /// The family ID of nl80211 until the next boot, and the IDs of its groups (`CTRL_CMD_NEWFAMILY`).
  case family(WirelessFamily)
  /// One entry of an interface's list of access points (`NL80211_CMD_NEW_SCAN_RESULTS`, as an answer).
  case accessPoint(AccessPointEntry)
  /// An interface that exists, is new, or changed (`NL80211_CMD_NEW_INTERFACE`, `NL80211_CMD_SET_INTERFACE`).
  case interface(WirelessInterface)
  /// An interface was removed (`NL80211_CMD_DEL_INTERFACE`).
  case interfaceGone(index: UInt32)
  /// A scan started, whichever process requested it (`NL80211_CMD_TRIGGER_SCAN`).
  case scanStarted(ScanEvent)
  /// A scan finished, whichever process requested it, and the list of access points is current
  /// (`NL80211_CMD_NEW_SCAN_RESULTS`, as an event).
  case scanFinished(ScanEvent)
  /// A scan was aborted, whichever process requested it (`NL80211_CMD_SCAN_ABORTED`); the list contains the access points
  /// received until then.
  case scanAborted(ScanEvent)
}

/// The header fields of a netlink message other than length and type (`struct nlmsghdr`).
package struct NetlinkEnvelope: Hashable, Sendable {
  /// The sequence number of the request that the message answers; 0 for an event.
  package let sequence: UInt32
  /// The port of the destination socket; 0 for a message to a group.
  package let portID: UInt32
  /// The list changed during the dump (`NLM_F_DUMP_INTR`): entries may be missing or duplicated.
  package let isInterrupted: Bool

  package init(sequence: UInt32, portID: UInt32, isInterrupted: Bool) {
    self.sequence = sequence
    self.portID = portID
    self.isInterrupted = isInterrupted
  }
}

/// One attribute of a netlink message (`struct nlattr`, include/uapi/linux/netlink.h): its type and the position of its
/// content.
struct NetlinkAttribute: Hashable {
  /// The type without the two top bits, which describe the encoding (`NLA_F_NESTED`, `NLA_F_NET_BYTEORDER`).
  let type: UInt16
  /// Offsets into the message.
  let content: Range<Int>
}

/// Iterates in order over the attributes of a message, or over those nested in another attribute.
///
/// There is no recursion: the caller uses one iterator for each level of nesting. An attribute that does not fit ends the iteration
/// and clears `isWellFormed`; the caller must then discard the attributes before it, too.
struct NetlinkAttributes {
  private var offset: Int
  private let end: Int
  private var isBroken = false

  init(in range: Range<Int>) {
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Whether the iteration reached the end and every attribute fitted.
  var isWellFormed: Bool { !isBroken && end - offset < Self.headerLength }

  private static let headerLength = 4

  /// The next attribute; `nil` at the end, or if its length is less than its header or more than the remaining bytes.
  @inline(__always)
  mutating func next(_ message: Span<UInt8>) -> NetlinkAttribute? {
    guard !isBroken, end - offset >= Self.headerLength else { return nil }
    let length = Int(message.u2(offset))
    guard length >= Self.headerLength, length <= end - offset else {
      isBroken = true
      return nil
    }
    let content = offset + Self.headerLength..<offset + length
    let type = message.u2(offset + 2) & 0x3FFF
    // The next attribute begins at a multiple of four bytes (NLA_ALIGN); the padding of the last one may be missing.
    offset = min(end, offset + (length + 3) & ~3)
    return NetlinkAttribute(type: type, content: content)
  }
}

/// Attribute values in host byte order, which is little endian on every supported machine. `nil` if the length of the attribute
/// does not match the type.
extension Span where Element == UInt8 {
  @inline(__always) func byte(of attribute: NetlinkAttribute) -> UInt8? {
    attribute.content.count == 1 ? self[attribute.content.lowerBound] : nil
  }

  @inline(__always) func word(of attribute: NetlinkAttribute) -> UInt16? {
    attribute.content.count == 2 ? u2(attribute.content.lowerBound) : nil
  }

  @inline(__always) func number(of attribute: NetlinkAttribute) -> UInt32? {
    attribute.content.count == 4 ? u4(attribute.content.lowerBound) : nil
  }

  @inline(__always) func longNumber(of attribute: NetlinkAttribute) -> UInt64? {
    guard attribute.content.count == 8 else { return nil }
    let start = attribute.content.lowerBound
    return UInt64(u4(start)) | UInt64(u4(start &+ 4)) << 32
  }

  /// A MAC address of six bytes.
  @inline(__always) func address(of attribute: NetlinkAttribute) -> BSSID? { BSSID(extracting(attribute.content)) }

  /// A NUL-terminated name.
  func text(of attribute: NetlinkAttribute) -> InlineText {
    InlineText(self, from: attribute.content.lowerBound, to: attribute.content.upperBound)
  }
}

/// Error numbers in the kernel's answers (include/uapi/asm-generic/errno-base.h, errno.h), which are the same on every supported
/// machine.
package enum KernelErrno {
  /// The user lacks the permission.
  package static let notPermitted: Int32 = 1  // EPERM
  /// The object does not exist.
  package static let noSuchThing: Int32 = 2  // ENOENT
  /// The driver is temporarily unable to carry out the request.
  package static let tryAgain: Int32 = 11  // EAGAIN
  /// A security module denied access.
  package static let denied: Int32 = 13  // EACCES
  /// A scan is in progress, or the radio must not leave its channel.
  package static let busy: Int32 = 16  // EBUSY
  /// The interface does not exist.
  package static let noSuchDevice: Int32 = 19  // ENODEV
  /// The request is invalid, for example because it names a channel that the radio does not have.
  package static let invalid: Int32 = 22  // EINVAL
  /// The radio does not support the operation.
  package static let notSupported: Int32 = 95  // EOPNOTSUPP
  /// The interface is down.
  package static let interfaceDown: Int32 = 100  // ENETDOWN
}

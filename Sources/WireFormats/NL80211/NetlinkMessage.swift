/// What the kernel says on a generic netlink socket, as far as it is about Wi-Fi.
package enum NetlinkMessage: Hashable, Sendable {
  /// The request was done (`NLMSG_ERROR` with 0).
  case acknowledged
  /// The request was not done (`NLMSG_ERROR`): `errno`, positive.
  case refused(errno: Int32)
  /// The end of a list (`NLMSG_DONE`): 0, or the `errno` with which it broke off.
  case listEnded(errno: Int32)
  /// The kernel has lost messages for this socket (`NLMSG_OVERRUN`).
  case overrun
  /// The number under which nl80211 goes until the next boot, and those of its groups (`CTRL_CMD_NEWFAMILY`).
  case family(WirelessFamily)
  /// One entry of an interface's list of access points (`NL80211_CMD_NEW_SCAN_RESULTS`, as an answer).
  case accessPoint(AccessPointEntry)
  /// An interface that is there, is new, or has changed (`NL80211_CMD_NEW_INTERFACE`, `NL80211_CMD_SET_INTERFACE`).
  case interface(WirelessInterface)
  /// An interface has gone (`NL80211_CMD_DEL_INTERFACE`).
  case interfaceGone(index: UInt32)
  /// Somebody's scan has begun (`NL80211_CMD_TRIGGER_SCAN`).
  case scanStarted(ScanNotice)
  /// Somebody's scan is over, and the list of access points is as of now (`NL80211_CMD_NEW_SCAN_RESULTS`, as an event).
  case scanFinished(ScanNotice)
  /// Somebody's scan has broken off (`NL80211_CMD_SCAN_ABORTED`); what was heard until then is in the list.
  case scanAborted(ScanNotice)
}

/// What the head of a netlink message says of it, beside its length and its type (`struct nlmsghdr`).
package struct NetlinkEnvelope: Hashable, Sendable {
  /// The request that it answers; 0 of what was not asked for.
  package let sequence: UInt32
  /// The socket that it is for, by its port; 0 of what goes to a group.
  package let portID: UInt32
  /// What is listed changed while it was listed (`NLM_F_DUMP_INTR`): some may be missing, some may be there twice.
  package let isInterrupted: Bool

  package init(sequence: UInt32, portID: UInt32, isInterrupted: Bool) {
    self.sequence = sequence
    self.portID = portID
    self.isInterrupted = isInterrupted
  }
}

/// One attribute of a netlink message (`struct nlattr`, include/uapi/linux/netlink.h): its type, and where its content stands.
struct NetlinkAttribute: Hashable {
  /// Without the two bits on top that say how it is packed (`NLA_F_NESTED`, `NLA_F_NET_BYTEORDER`).
  let type: UInt16
  /// Offsets into the message.
  let content: Range<Int>
}

/// The attributes in a part of a message, in their order: of the message itself, or of an attribute that holds others.
///
/// How deep they are nested is for the caller to say, a walk for each depth: nothing here calls itself. What does not fit ends the
/// walk, and `isWellFormed` says so; what was read before it is not to be believed either.
struct NetlinkAttributes {
  private var offset: Int
  private let end: Int
  private var isBroken = false

  init(in range: Range<Int>) {
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Whether all were read, and each fitted in.
  var isWellFormed: Bool { !isBroken && end - offset < Self.headerLength }

  private static let headerLength = 4

  /// The next one; `nil` at the end, and where it claims to be shorter than its own head or longer than what is left.
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
    // The next one begins at a multiple of four bytes (NLA_ALIGN); what would pad the last may be missing.
    offset = min(end, offset + (length + 3) & ~3)
    return NetlinkAttribute(type: type, content: content)
  }
}

/// Numbers of attributes: in the host's order, which is little endian on every machine this is built for. `nil` where the
/// length is not the number's.
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

  /// Six bytes of an address.
  @inline(__always) func address(of attribute: NetlinkAttribute) -> BSSID? { BSSID(extracting(attribute.content)) }

  /// A name that ends with a NUL.
  func text(of attribute: NetlinkAttribute) -> InlineText {
    InlineText(self, from: attribute.content.lowerBound, to: attribute.content.upperBound)
  }
}

/// Error numbers of the kernel's answers (include/uapi/asm-generic/errno-base.h, errno.h), which are the same on every machine
/// this is built for.
package enum KernelErrno {
  /// This user may not.
  package static let notPermitted: Int32 = 1  // EPERM
  /// There is no such thing.
  package static let noSuchThing: Int32 = 2  // ENOENT
  /// The driver cannot just now.
  package static let tryAgain: Int32 = 11  // EAGAIN
  /// This user may not, says a security module.
  package static let denied: Int32 = 13  // EACCES
  /// A scan is under way, or the radio may not leave its channel.
  package static let busy: Int32 = 16  // EBUSY
  /// There is no such interface.
  package static let noSuchDevice: Int32 = 19  // ENODEV
  /// The request cannot be met as it stands, as with a channel that the radio does not have.
  package static let invalid: Int32 = 22  // EINVAL
  /// The radio does not do that.
  package static let notSupported: Int32 = 95  // EOPNOTSUPP
  /// The interface is down.
  package static let interfaceDown: Int32 = 100  // ENETDOWN
}

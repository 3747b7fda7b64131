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

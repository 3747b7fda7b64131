import Geodesy

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
  package enum Family: Hashable, Sendable {
    case ipv4
    case ipv6

    /// The length of an address, bits.
    package var bitCount: Int {
      switch self {
      case .ipv4: 32
      case .ipv6: 128
      }
    }
  }

  package let family: Family
  /// The address as a number; an IPv4 address has 32 bits.
  package let value: UInt128

  /// An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`, RFC 4291, 2.5.5.2) becomes an IPv4 address: a socket
  /// that accepts both families reports its IPv4 peers in this form.
  private init(family: Family, value: UInt128) {
    let isMapped = family == .ipv6 && value >> 32 == 0xFFFF
    self.family = isMapped ? .ipv4 : family
    self.value = isMapped ? value & 0xFFFF_FFFF : value
  }

  /// The address in four or 16 bytes in network order; `nil` for another number of bytes.
  package init?(bytes: some Collection<UInt8>) {
    let value = bytes.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
    switch bytes.count {
    case 4: self.init(family: .ipv4, value: value)
    case 16: self.init(family: .ipv6, value: value)
    default: return nil
    }
  }

  /// Reads `192.0.2.1` or `2001:db8::1` (RFC 4291, 2.2), without brackets and without a zone; `nil` for other text.
  package init?(parsing text: some StringProtocol) {
    let text = Substring(text)
    if text.contains(":") {
      guard let value = Self.ipv6(text) else { return nil }
      self.init(family: .ipv6, value: value)
    } else {
      guard let value = Self.ipv4(text) else { return nil }
      self.init(family: .ipv4, value: UInt128(value))
    }
  }

  /// `192.0.2.1`, or all eight groups of an IPv6 address.
  package var text: String {
    switch family {
    case .ipv4: (0..<4).reversed().map { String(value >> UInt128(8 * $0) & 0xFF) }.joined(separator: ".")
    case .ipv6:
      (0..<8).reversed().map { String(value >> UInt128(16 * $0) & 0xFFFF, radix: 16) }.joined(separator: ":")
    }
  }

  /// Whether it is a group of machines: multicast, or the broadcast address of all networks. The broadcast address of one network is
  /// known to the kernel alone.
  package var isGroup: Bool {
    switch family {
    case .ipv4: value >> 28 == 0xE || value == 0xFFFF_FFFF
    case .ipv6: value >> 120 == 0xFF
    }
  }

  /// An address of this machine only.
  package var isLoopback: Bool {
    switch family {
    case .ipv4: value >> 24 == 127
    case .ipv6: value == 1
    }
  }

  /// Whether the address is valid only in a local network: loopback, link-local, private and shared addresses (RFC 1918, 3927, 6598,
  /// 4193).
  package var isPrivate: Bool {
    switch family {
    case .ipv4:
      isLoopback || value >> 24 == 10 || value >> 20 == 0xAC1 || value >> 16 == 0xC0A8 || value >> 16 == 0xA9FE
        || value >> 22 == 0x6440 >> 6
    case .ipv6: isLoopback || value >> 121 == 0xFC >> 1 || value >> 118 == 0xFE80 >> 6
    }
  }

  /// Four numbers of 0…255. A leading zero is refused, because some programs read such a number as octal.
  private static func ipv4(_ text: Substring) -> UInt32? {
    let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        part == "0" || part.utf8.first != 0x30, let number = UInt8(part)
      else { return nil }
      value = value << 8 | UInt32(number)
    }
    return value
  }

  private static func ipv6(_ text: Substring) -> UInt128? {
    // The longest form: eight groups, the last two of them as an IPv4 address.
    guard text.utf8.count <= 45 else { return nil }
    guard let gap = text.firstPlace(of: "::") else {
      guard let groups = groups(text), groups.count == 8 else { return nil }
      return number(groups)
    }
    guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
      head.count + tail.count <= 7
    else { return nil }
    return number(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
  }

  private static func number(_ groups: [UInt16]) -> UInt128 {
    groups.reduce(0 as UInt128) { $0 << 16 | UInt128($1) }
  }

  /// The groups of 16 bits between colons; the last part may be an IPv4 address.
  private static func groups(_ text: Substring) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var groups: [UInt16] = []
    let parts = text.split(separator: ":", maxSplits: 8, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        guard let address = ipv4(part) else { return nil }
        groups += [UInt16(address >> 16), UInt16(address & 0xFFFF)]
      } else {
        guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ ASCII.isHexDigit($0) }),
          let group = UInt16(part, radix: 16)
        else { return nil }
        groups.append(group)
      }
    }
    return groups
  }
}

/// Classes of ASCII characters.
enum ASCII {
  static func isHexDigit(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// `byte` with an upper-case letter as lower-case.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The first `limit` bytes as text. Every byte that is not printable ASCII is replaced by `?`; with `keepsUTF8`, only
  /// control characters are.
  static func text(_ bytes: some Sequence<UInt8>, limit: Int, keepsUTF8: Bool = false) -> String {
    let printable = bytes.prefix(limit).map { byte in
      (0x20...0x7E).contains(byte) || keepsUTF8 && byte >= 0x80 ? byte : UInt8(ascii: "?")
    }
    // U+0080 to U+009F are control characters, too.
    return String(
      String.UnicodeScalarView(
        String(decoding: printable, as: UTF8.self).unicodeScalars.map { (0x80...0x9F).contains($0.value) ? "?" : $0 }))
  }
}

/// A range of addresses in CIDR notation (RFC 4632): `192.168.1.0/24`, `fd00::/8`, or one address.
package struct AddressRange: Hashable, Sendable {
  package let base: IPAddress
  /// The number of leading bits that all addresses of the range have in common.
  package let prefixLength: Int

  /// Reads a range. The bits after the prefix must be zero: in `192.168.1.7/24` either the address or the length is a mistake.
  package init?(parsing text: some StringProtocol) {
    let parts = Substring(text).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let base = IPAddress(parsing: first) else { return nil }
    let bitCount = base.family.bitCount
    var length = bitCount
    if parts.count == 2 {
      let digits = parts[1]
      guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(digits), number <= bitCount
      else { return nil }
      length = number
    }
    guard length == bitCount || base.value & (((1 as UInt128) << UInt128(bitCount - length)) &- 1) == 0 else {
      return nil
    }
    self.base = base
    prefixLength = length
  }

  /// `192.168.1.0/24`.
  package var text: String { "\(base.text)/\(prefixLength)" }

  /// Whether the range contains `address`; an IPv4 range contains no IPv6 address, and vice versa.
  package func contains(_ address: IPAddress) -> Bool {
    let shift = base.family.bitCount - prefixLength
    return address.family == base.family && address.value >> shift == base.value >> shift
  }
}

/// The peers that may send to a listening source.
package struct AllowList: Hashable, Sendable {
  /// Maximum number of ranges; a longer list is a mistake.
  package static let mostRanges = 16

  /// Empty: only peers on this machine.
  package let ranges: [AddressRange]

  package init(_ ranges: [AddressRange]) { self.ranges = ranges }

  /// Reads ranges, separated by commas or blanks; `nil` for other text, and for more than `mostRanges`.
  package init?(parsing text: String) {
    let words = NetworkSource.words(of: text)
    let ranges = words.compactMap { AddressRange(parsing: $0) }
    guard (1...Self.mostRanges).contains(words.count), ranges.count == words.count else { return nil }
    self.init(ranges)
  }

  /// As `init(parsing:)` reads it.
  package var text: String { ranges.map(\.text).joined(separator: ",") }

  package func allows(_ peer: IPAddress) -> Bool {
    ranges.isEmpty ? peer.isLoopback : ranges.contains { $0.contains(peer) }
  }
}

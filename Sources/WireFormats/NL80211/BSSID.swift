/// The 48-bit identifier of an access point (IEEE 802.11-2020, 9.2.4.3.4), most significant byte first.
package struct BSSID: Hashable, Comparable, Sendable {
  /// 0 … 2⁴⁸ − 1.
  package let rawValue: UInt64

  /// `nil` for more than 48 bits.
  package init?(rawValue: UInt64) {
    guard rawValue >> 48 == 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Six bytes in transmission order; `nil` for any other number of bytes.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == 6 else { return nil }
    var value: UInt64 = 0
    for index in bytes.indices { value = value << 8 | UInt64(bytes[index]) }
    rawValue = value
  }

  /// "00:01:e3:0a:f6:33", also in upper case and with "-"; `nil` for anything else.
  package init?(_ text: some StringProtocol) {
    let text = text.utf8
    guard text.count == 17 else { return nil }
    var value: UInt64 = 0
    for (index, byte) in text.enumerated() {
      if index % 3 == 2 {
        guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
        value = value << 4 | UInt64(digit)
      }
    }
    rawValue = value
  }

  /// The manufacturer's prefix (OUI), 24 bits.
  package var prefix: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 24) }

  /// Whether the access point chose its address, and may change it (bit 1 of the first byte); otherwise the manufacturer
  /// assigned the address.
  package var isLocallyAdministered: Bool { rawValue >> 41 & 1 == 1 }

  /// Whether a single station can have this address: it is not a group address (bit 0 of the first byte) and not all zeros.
  package var isIndividual: Bool { rawValue >> 40 & 1 == 0 && rawValue != 0 }

  package static func < (a: BSSID, b: BSSID) -> Bool { a.rawValue < b.rawValue }
}

extension BSSID: CustomStringConvertible {
  /// "00:01:e3:0a:f6:33".
  package var description: String {
    (0..<6).map { index in
      let byte = rawValue >> UInt64(40 - 8 * index) & 0xFF
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined(separator: ":")
  }
}

/// The name of a network as transmitted (IEEE 802.11-2020, 9.4.2.2): at most 32 bytes of any value. A name can reveal who lives
/// where, so it is only used to check whether its owner opted out, and is not passed on.
package struct NetworkName: Hashable, Sendable {
  /// The maximum length in bytes that the standard allows.
  package static let capacity = 32

  private var bytes: InlineArray<32, UInt8> = .init(repeating: 0)
  private var count: UInt8 = 0

  /// `nil` for more than 32 bytes.
  package init?(_ source: Span<UInt8>) {
    guard source.count <= Self.capacity else { return nil }
    for index in source.indices { bytes[index] = source[index] }
    count = UInt8(source.count)
  }

  /// Whether the access point hides the name: it is empty or consists of NULs.
  package var isHidden: Bool {
    for index in 0..<Int(count) where bytes[index] != 0 { return false }
    return true
  }

  /// Whether the name ends with `text`, which must be lower case; ASCII case in the name is ignored.
  package func ends(with text: [UInt8]) -> Bool {
    text.count <= Int(count) && matches(text, at: Int(count) - text.count)
  }

  /// Whether the name contains `text`, which must be lower case; ASCII case in the name is ignored.
  package func contains(_ text: [UInt8]) -> Bool {
    guard text.count <= Int(count) else { return false }
    for start in 0...Int(count) - text.count where matches(text, at: start) { return true }
    return false
  }

  private func matches(_ text: [UInt8], at start: Int) -> Bool {
    for index in text.indices {
      let byte = bytes[start + index]
      let small = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      guard small == text[index] else { return false }
    }
    return true
  }

  package static func == (a: NetworkName, b: NetworkName) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<Int(a.count) where a.bytes[index] != b.bytes[index] { return false }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    for index in 0..<Int(count) { hasher.combine(bytes[index]) }
  }
}

/// CRC-32C (Castagnoli): reflected polynomial 0x82F63B78, all ones before and after, as iSCSI has it (RFC 3720 §12.1 and
/// appendix B.4). It finds every error of up to 32 bits in a row and, at our lengths, any five single bits.
package struct CRC32C: Sendable {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
  }

  private var state: UInt32 = .max

  package init() {}

  /// The checksum of these.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    for byte in bytes { checksum.add(byte) }
    return checksum.value
  }

  /// The checksum of all that was added.
  package var value: UInt32 { ~state }

  package mutating func add(_ byte: UInt8) {
    state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
  }

  package mutating func add(_ bytes: Span<UInt8>) {
    for index in bytes.indices { add(bytes[index]) }
  }

  /// Adds the bytes of `value`, the lowest first.
  package mutating func add(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { add(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}

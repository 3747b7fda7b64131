/// CRC-32C (Castagnoli): reflected polynomial 0x82F63B78, all ones before and after, as iSCSI has it (RFC 3720 §12.1 and
/// appendix B.4).
enum TileChecksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { state, byte in table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
  }
}

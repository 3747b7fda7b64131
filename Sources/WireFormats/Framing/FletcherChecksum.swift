/// The 8-bit Fletcher checksum of UBX frames (UBX-21048598, section 3.4; RFC 1145).
struct FletcherChecksum {
  var a: UInt8 = 0
  var b: UInt8 = 0

  mutating func add(_ byte: UInt8) {
    a &+= byte
    b &+= a
  }
}

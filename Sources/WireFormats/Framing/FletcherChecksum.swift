/// The 8-bit Fletcher checksum of UBX frames (UBX-21048598, section 3.4; RFC 1145).
package struct FletcherChecksum {
  package private(set) var a: UInt8 = 0
  package private(set) var b: UInt8 = 0

  /// The sum of nothing.
  package init() {}

  package mutating func add(_ byte: UInt8) {
    a &+= byte
    b &+= a
  }
}

/// Sentences to write.
package enum NMEASentence {
  /// `$`, the content, its checksum and the line's end. The content must be printable ASCII without `$`, `!` and `*`.
  package static func encode(_ content: String) -> [UInt8] {
    var checksum: UInt8 = 0
    for byte in content.utf8 { checksum ^= byte }
    var line: [UInt8] = [UInt8(ascii: "$")]
    line += content.utf8
    line += [UInt8(ascii: "*"), HexDigit.digit(of: checksum >> 4), HexDigit.digit(of: checksum & 15), 0x0D, 0x0A]
    return line
  }
}

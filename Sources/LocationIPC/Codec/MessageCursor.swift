/// Reads the forms of which messages are made, from the front of some bytes, and never beyond them.
struct MessageCursor: ~Escapable {
  let bytes: Span<UInt8>
  var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  @_lifetime(self: copy self)
  mutating func number() throws(MessageError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      // The tenth byte has room for the last bit alone.
      guard shift < 63 || byte <= 1 else { throw .endlessNumber }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .truncated(expected: 1, found: 0)
  }

  @_lifetime(self: copy self)
  mutating func fixed() throws(MessageError) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw .truncated(expected: 8, found: bytes.count - offset) }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
    offset += 8
    return value
  }

  /// A length, and where so many bytes are.
  @_lifetime(self: copy self)
  mutating func range() throws(MessageError) -> Range<Int> {
    let count = try number()
    let left = bytes.count - offset
    guard count <= UInt64(left) else { throw .truncated(expected: Int(clamping: count), found: left) }
    defer { offset += Int(count) }
    return offset..<(offset + Int(count))
  }
}

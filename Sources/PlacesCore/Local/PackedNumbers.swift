/// Whole numbers in as few bytes as possible: seven bits per byte, the lowest first; the eighth bit says that another byte
/// follows. Signed numbers are mapped to unsigned ones: 0, −1, 1, −2, … (developers.google.com/protocol-buffers, "Encoding").
package struct PackedWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func put(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func put(signed number: Int) { put((number << 1) ^ (number >> 63)) }

  /// At most 255 bytes; a longer text is cut at a character.
  package mutating func put(_ text: String) {
    var utf8 = Array(text.utf8)
    if utf8.count > 255 {
      var short = ""
      for character in text where short.utf8.count + character.utf8.count <= 255 { short.append(character) }
      utf8 = Array(short.utf8)
    }
    bytes.append(UInt8(truncatingIfNeeded: utf8.count))
    bytes += utf8
  }

  package mutating func put(byte: UInt8) { bytes.append(byte) }

  /// Everything that another writer wrote.
  package mutating func put(_ other: PackedWriter) { bytes += other.bytes }
}

/// Reads what `PackedWriter` wrote. The bytes may come from an untrusted file: after the first error, `isDamaged` is set and all
/// further values are zero.
package struct PackedReader: ~Escapable {
  private let bytes: Span<UInt8>
  package private(set) var offset = 0
  package private(set) var isDamaged = false

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// - Parameter offset: where it begins to read.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  package var isAtEnd: Bool { offset >= bytes.count }

  @_lifetime(self: copy self)
  package mutating func byte() -> UInt8 {
    guard offset < bytes.count else {
      isDamaged = true
      return 0
    }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// A number of at most 63 bits.
  @_lifetime(self: copy self)
  package mutating func number() -> Int {
    // Most numbers are small.
    if offset < bytes.count, bytes[offset] < 0x80 {
      defer { offset += 1 }
      return Int(bytes[offset])
    }
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 63 {
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return Int(truncatingIfNeeded: result) }
      shift += 7
    }
    isDamaged = true
    return 0
  }

  @_lifetime(self: copy self)
  package mutating func signed() -> Int {
    let number = number()
    return (number &>> 1) ^ -(number & 1)
  }

  /// Skips bytes.
  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int) {
    guard count >= 0, bytes.count - offset >= count else {
      isDamaged = true
      offset = bytes.count
      return
    }
    offset += count
  }

  /// Skips a text, and returns where it is.
  @_lifetime(self: copy self)
  package mutating func textRange() -> Range<Int> {
    let count = Int(byte())
    guard bytes.count - offset >= count else {
      isDamaged = true
      offset = bytes.count
      return 0..<0
    }
    defer { offset += count }
    return offset..<(offset + count)
  }

  @_lifetime(self: copy self)
  package mutating func text() -> String { text(in: textRange()) }

  package func text(in range: Range<Int>) -> String {
    String(decoding: bytes.extracting(range).copied(), as: UTF8.self)
  }
}

extension Span<UInt8> {
  /// The bytes as an array.
  fileprivate func copied() -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    for index in indices { copy.append(self[index]) }
    return copy
  }
}

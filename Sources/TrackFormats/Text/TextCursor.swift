/// Writes text into existing bytes, of which there must be enough. Each byte is one store, whereas a growing array checks whether
/// it is shared and has room.
package struct TextCursor: ~Copyable, ~Escapable {
  private var bytes: MutableSpan<UInt8>
  /// The position of the next byte.
  package private(set) var position: Int

  /// A cursor that begins at `position`.
  @_lifetime(copy bytes)
  package init(_ bytes: consuming MutableSpan<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Writes one byte.
  @_lifetime(self: copy self)
  package mutating func write(_ byte: UInt8) {
    bytes[position] = byte
    position += 1
  }

  /// Writes bytes unchanged.
  @_lifetime(self: copy self)
  mutating func write(_ text: Span<UInt8>) {
    let start = position
    let count = text.count
    // One check for all of them.
    precondition(start >= 0 && count <= bytes.count &- start)
    for index in 0..<count { bytes[start &+ index] = text[index] }
    position = start &+ count
  }

  /// Writes a short text, eight bytes per store: there must be room for 24 bytes. Later output overwrites those after
  /// the text.
  @_lifetime(self: copy self)
  package mutating func write(_ text: ShortText) {
    let start = position
    store(text.words[0], at: start)
    store(text.words[1], at: start &+ 8)
    store(text.words[2], at: start &+ 16)
    position = start &+ text.count
  }

  /// The compiler combines these eight into one store.
  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func store(_ word: UInt64, at place: Int) {
    precondition(place >= 0 && 8 <= bytes.count &- place)
    bytes[place] = UInt8(truncatingIfNeeded: word)
    bytes[place &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
    bytes[place &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
    bytes[place &+ 3] = UInt8(truncatingIfNeeded: word &>> 24)
    bytes[place &+ 4] = UInt8(truncatingIfNeeded: word &>> 32)
    bytes[place &+ 5] = UInt8(truncatingIfNeeded: word &>> 40)
    bytes[place &+ 6] = UInt8(truncatingIfNeeded: word &>> 48)
    bytes[place &+ 7] = UInt8(truncatingIfNeeded: word &>> 56)
  }

  /// Writes `value` (≥ 0) with leading zeros up to `width` digits, and a point before the last `decimals` if there are any.
  @_lifetime(self: copy self)
  mutating func write(_ value: Int64, width: Int = 1, decimals: Int = 0) {
    let value = UInt64(clamping: value)
    var digits = 1
    var power: UInt64 = 10
    while digits < 19, power <= value {
      power *= 10
      digits += 1
    }
    digits = max(digits, width, decimals + 1)
    let end = position + digits + (decimals > 0 ? 1 : 0)
    // Starts with the last digit: the divisor is then a constant, and the compiler turns the division into a
    // multiplication.
    var rest = value
    var place = end
    if decimals > 0 {
      for _ in 0..<decimals {
        place -= 1
        bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      place -= 1
      bytes[place] = UInt8(ascii: ".")
    }
    while place > position {
      place -= 1
      bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    position = end
  }
}

/// A constant text of up to 24 bytes, such as a key.
package struct ShortText: Sendable {
  /// Its bytes; the first of each eight is the lowest.
  fileprivate var words = InlineArray<3, UInt64>(repeating: 0)
  fileprivate let count: Int

  package init(_ text: String) {
    count = text.utf8.count
    precondition(count <= 24)
    for (index, byte) in text.utf8.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
  }
}

/// The position of an error in a text.
package struct TextPosition: Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// From 0, at the text's beginning.
  package let byte: Int

  package init(line: Int, byte: Int) {
    self.line = line
    self.byte = byte
  }
}

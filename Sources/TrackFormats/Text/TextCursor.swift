/// Writes text into bytes that are there already, which have to be enough: each is a store, where an array that grows asks
/// whether it is shared and has room.
struct TextCursor: ~Copyable, ~Escapable {
  private var bytes: MutableSpan<UInt8>
  /// Where the next byte comes.
  private(set) var position: Int

  /// A cursor that begins at `position`.
  @_lifetime(copy bytes)
  init(_ bytes: consuming MutableSpan<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Writes one byte.
  @_lifetime(self: copy self)
  mutating func write(_ byte: UInt8) {
    bytes[position] = byte
    position += 1
  }

  /// Writes bytes as they are.
  @_lifetime(self: copy self)
  mutating func write(_ text: Span<UInt8>) {
    let start = position
    let count = text.count
    // Once for all of them.
    precondition(start >= 0 && count <= bytes.count &- start)
    for index in 0..<count { bytes[start &+ index] = text[index] }
    position = start &+ count
  }

  /// Writes `value` (≥ 0) with leading zeros up to `width` digits, and a point before the last `decimals` where there are any.
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
    // From the last digit on: a division by a constant is a multiplication.
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

  /// Writes another byte over the first.
  @_lifetime(self: copy self)
  mutating func replaceFirst(by byte: UInt8) { bytes[0] = byte }
}

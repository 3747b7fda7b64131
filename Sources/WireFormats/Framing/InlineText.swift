/// A short text from a device, stored inline. It contains printable ASCII only, whatever the device sent.
package struct InlineText: Hashable, Sendable {
  /// The maximum length in bytes; a longer text is truncated.
  package static let capacity = 64

  private var bytes: InlineArray<64, UInt8> = .init(repeating: 0)
  private var count: UInt8 = 0

  /// An empty text.
  package init() {}

  /// The text in `source` from `start` up to `end`, a NUL, or the capacity. Drops trailing spaces and
  /// replaces each byte that is not printable ASCII by `?`.
  package init(_ source: Span<UInt8>, from start: Int, to end: Int) {
    var length = 0
    var lastVisible = 0
    var index = start
    while index < end, length < Self.capacity {
      let byte = source[index]
      guard byte != 0 else { break }
      bytes[length] = (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: "?")
      length += 1
      if byte != 0x20 { lastVisible = length }
      index += 1
    }
    count = UInt8(lastVisible)
  }

  /// Whether the text is empty.
  package var isEmpty: Bool { count == 0 }

  /// The text as a string.
  package var string: String {
    var characters: [UInt8] = []
    characters.reserveCapacity(Int(count))
    for index in 0..<Int(count) { characters.append(bytes[index]) }
    return String(decoding: characters, as: UTF8.self)
  }

  package static func == (a: InlineText, b: InlineText) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<Int(a.count) where a.bytes[index] != b.bytes[index] { return false }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    for index in 0..<Int(count) { hasher.combine(bytes[index]) }
  }
}

/// Operations on eight bytes of a line at once.
enum PlainBytes {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// The top bit of every byte that is not plain: below `+` (controls, space, `!`, `$`, `*`) or above `~`. Only the lowest
  /// mark is exact; a borrow in the subtraction can set false marks above it.
  @inline(__always)
  static func marks(in word: UInt64) -> UInt64 {
    ((word &- 0x2B &* ones) | word | (word &+ ones)) & 0x8080_8080_8080_8080
  }

  /// The exclusive or of the eight bytes.
  @inline(__always)
  static func folded(_ word: UInt64) -> UInt8 {
    let half = word ^ word >> 32
    let quarter = half ^ half >> 16
    return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
  }
}

extension Span where Element == UInt8 {
  /// Eight bytes, little endian. The bounds are checked once, by `extracting`, so that the compiler emits a single load.
  @inline(__always)
  func word(at position: Int) -> UInt64 {
    let eight = extracting(position..<position &+ 8)
    let low = UInt64(eight[0]) | UInt64(eight[1]) << 8 | UInt64(eight[2]) << 16 | UInt64(eight[3]) << 24
    let high = UInt64(eight[4]) | UInt64(eight[5]) << 8 | UInt64(eight[6]) << 16 | UInt64(eight[7]) << 24
    return low | high << 32
  }
}

/// Hexadecimal digits of checksums and identifiers.
enum HexDigit {
  /// The value of an upper or lower case digit; `nil` for any other character.
  @inline(__always)
  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit &- 0x30
    case 0x41...0x46: digit &- 0x37
    case 0x61...0x66: digit &- 0x57
    default: nil
    }
  }

  /// The upper case digit of a value below 16.
  static func digit(of value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

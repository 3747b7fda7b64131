/// A short text from a device, kept in place: printable ASCII only, whatever came.
package struct InlineText: Hashable, Sendable {
  /// Bytes that are kept; the rest of a longer text is cut off.
  package static let capacity = 64

  private var bytes: InlineArray<64, UInt8> = .init(repeating: 0)
  private var count: UInt8 = 0

  /// An empty text.
  package init() {}

  /// The text in `source` from `start` up to `end`, a NUL, or the capacity. Trailing blanks are dropped, and a byte
  /// that is not printable ASCII becomes `?`.
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

  /// Whether nothing is in it.
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

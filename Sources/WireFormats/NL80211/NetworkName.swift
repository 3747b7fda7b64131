/// The name of a network as it is on the air (IEEE 802.11-2020, 9.4.2.2): at most 32 bytes of any kind. It says who lives where: it
/// is asked whether its owner wants to be left out, and goes no further.
package struct NetworkName: Hashable, Sendable {
  /// The longest that the standard allows.
  package static let capacity = 32

  private var bytes: InlineArray<32, UInt8> = .init(repeating: 0)
  private var count: UInt8 = 0

  /// `nil` for more than 32 bytes.
  package init?(_ source: Span<UInt8>) {
    guard source.count <= Self.capacity else { return nil }
    for index in source.indices { bytes[index] = source[index] }
    count = UInt8(source.count)
  }

  /// Whether the access point keeps it to itself: nothing, or NULs in its place.
  package var isHidden: Bool {
    for index in 0..<Int(count) where bytes[index] != 0 { return false }
    return true
  }

  /// Whether it ends with `text`, which is in small letters; capitals are taken for those.
  package func ends(with text: [UInt8]) -> Bool {
    text.count <= Int(count) && matches(text, at: Int(count) - text.count)
  }

  /// Whether `text`, which is in small letters, is anywhere in it; capitals are taken for those.
  package func contains(_ text: [UInt8]) -> Bool {
    guard text.count <= Int(count) else { return false }
    for start in 0...Int(count) - text.count where matches(text, at: start) { return true }
    return false
  }

  private func matches(_ text: [UInt8], at start: Int) -> Bool {
    for index in text.indices {
      let byte = bytes[start + index]
      let small = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      guard small == text[index] else { return false }
    }
    return true
  }

  package static func == (a: NetworkName, b: NetworkName) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<Int(a.count) where a.bytes[index] != b.bytes[index] { return false }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    for index in 0..<Int(count) { hasher.combine(bytes[index]) }
  }
}

/// Splits typed or piped bytes into lines; a line that is too long is truncated.
struct InputLines {
  private static let longest = 256
  private var pending: [UInt8] = []

  /// Drops an incomplete line.
  mutating func drop() { pending.removeAll() }

  /// The lines that are now complete, without their line ends.
  mutating func push(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: pending, as: UTF8.self))
        pending.removeAll()
      } else if pending.count < Self.longest {
        pending.append(byte)
      }
    }
    return lines
  }
}

extension StringProtocol {
  /// Whether `part` is in it, byte for byte. The library's own `contains` brings the engine of regular expressions into a
  /// program that has no other use for it: a megabyte and a half.
  func holds(_ part: String) -> Bool {
    let bytes = Array(utf8)
    let sought = Array(part.utf8)
    guard sought.count <= bytes.count else { return false }
    return (0...bytes.count - sought.count).contains { bytes[$0...].starts(with: sought) }
  }
}

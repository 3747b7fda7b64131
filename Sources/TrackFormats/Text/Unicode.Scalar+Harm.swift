extension Unicode.Scalar {
  /// Whether text that holds it may steer a terminal or mislead its reader: control characters (C0, DEL, C1), line and
  /// paragraph separators, and what overrides the direction of text (Unicode Standard Annex 9, "Explicit Directional
  /// Formatting Characters"). All within 16 bits.
  package var isHarmful: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}

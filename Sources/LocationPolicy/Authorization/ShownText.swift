/// Makes a text that a client supplied fit to be shown to a person, in whose language it is, and to be kept.
enum ShownText {
  /// Longer text is cut, between characters of Unicode.
  static let maximumBytes = 200

  /// The text on one line without what steers a terminal or turns the line around; `nil` where nothing is left.
  static func of(_ text: String?) -> String? {
    guard let text else { return nil }
    var shown = ""
    var bytes = 0
    var isBlank = true
    for scalar in text.unicodeScalars where !isControl(scalar) {
      bytes += UTF8.width(scalar)
      guard bytes <= maximumBytes else { break }
      shown.unicodeScalars.append(scalar)
      isBlank = isBlank && scalar.properties.isWhitespace
    }
    return isBlank ? nil : shown
  }

  /// Controls (C0, DEL, C1), line and paragraph separators, and the marks that set the direction of writing, which make a
  /// line read as another (Unicode Standard Annex 9, section 2; Unicode Technical Report 36, section 2).
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    case _: false
    }
  }
}

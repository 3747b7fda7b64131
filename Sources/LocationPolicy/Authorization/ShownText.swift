/// Makes a text that a client supplied fit to be shown to a person, in whose language it is, and to be kept.
enum ShownText {
  /// Longer text is cut, between characters of Unicode.
  static let maximumBytes = 200
  /// Nor is more than so many characters looked at.
  private static let maximumLength = 4096

  /// The text on one line without what steers a terminal, turns the line around or cannot be seen; `nil` where nothing is left.
  static func of(_ text: String?) -> String? {
    guard let text else { return nil }
    var shown = ""
    var bytes = 0
    var isBlank = true
    let scalars = Array(text.unicodeScalars.prefix(maximumLength))
    for (index, scalar) in scalars.enumerated() {
      guard !isHidden(scalar) || joins(scalars, at: index) else { continue }
      bytes += UTF8.width(scalar)
      guard bytes <= maximumBytes else { break }
      shown.unicodeScalars.append(scalar)
      isBlank = isBlank && scalar.properties.isWhitespace
    }
    return isBlank ? nil : shown
  }

  /// One emoji is made of several by it, and looks like none of them.
  private static func joins(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let (joiner, variation): (UInt32, UInt32) = (0x200D, 0xFE0F)
    guard scalars[index].value == joiner, index > 0, index + 1 < scalars.count else { return false }
    let before = scalars[index - 1].value == variation && index > 1 ? scalars[index - 2] : scalars[index - 1]
    return isPicture(before) && isPicture(scalars[index + 1])
  }

  /// Digits can be emoji, too.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isEmoji && scalar.value > 0xFF }

  /// Controls (C0, DEL, C1), line and paragraph separators, and the marks that set the direction of writing, which make a
  /// line read as another (Unicode Standard Annex 9, section 2; Unicode Technical Report 36, section 2); and what is not drawn at
  /// all, by which one name passes for another, or carries what nobody sees: soft hyphens, blanks without width, fillers,
  /// variation selectors and tags (Default_Ignorable_Code_Point, Unicode Standard Annex 44).
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0xFFF9...0xFFFB: true
    case _: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

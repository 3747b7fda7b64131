/// One line of text whose parts have roles. Its width does not include color sequences, which are added when it is
/// printed.
package struct StyledText: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var text: String
    package var role: TextRole
  }

  package private(set) var parts: [Part]

  package init(_ text: String = "", _ role: TextRole = .plain) {
    parts = text.isEmpty ? [] : [Part(text: text, role: role)]
  }

  package static func good(_ text: String) -> StyledText { StyledText(text, .good) }
  package static func warning(_ text: String) -> StyledText { StyledText(text, .warning) }
  package static func bad(_ text: String) -> StyledText { StyledText(text, .bad) }
  package static func dim(_ text: String) -> StyledText { StyledText(text, .dim) }
  package static func heading(_ text: String) -> StyledText { StyledText(text, .heading) }

  /// The text without its roles.
  package var text: String { parts.map(\.text).joined() }
  /// The number of columns on a terminal.
  package var width: Int { parts.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }
  package var isEmpty: Bool { parts.isEmpty }

  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var sum = first
    sum.parts += second.parts
    return sum
  }

  package static func += (first: inout StyledText, second: StyledText) { first.parts += second.parts }

  /// The same text, with this role for each part that is `plain`.
  package func inRole(_ role: TextRole) -> StyledText {
    var text = self
    for index in parts.indices where parts[index].role == .plain { text.parts[index].role = role }
    return text
  }

  /// The text cut to `columns`, with an ellipsis if a part is omitted.
  package func cut(to columns: Int, usesUnicode: Bool = true) -> StyledText {
    guard width > columns else { return self }
    let ellipsis = usesUnicode ? "…" : "~"
    var (room, result) = (max(0, columns - 1), StyledText())
    for part in parts {
      let prefix = TextWidth.prefix(of: part.text, columns: room)
      result += StyledText(prefix, part.role)
      room -= TextWidth.columns(of: prefix)
      guard prefix == part.text else { break }
    }
    return columns < 1 ? StyledText() : result + StyledText(ellipsis, result.parts.last?.role ?? .plain)
  }

  /// The text, padded with spaces to `columns`.
  package func padded(to columns: Int) -> StyledText {
    self + StyledText(String(repeating: " ", count: max(0, columns - width)))
  }

  /// The text for a terminal, with colors or without.
  package func rendered(usesColor: Bool) -> String {
    guard usesColor else { return text }
    return parts.map { $0.role == .plain ? $0.text : "\u{1B}[\($0.role.codes)m\($0.text)\u{1B}[0m" }.joined()
  }
}

extension StyledText: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}

extension [StyledText] {
  /// The texts in one line.
  package func joined(separator: String) -> StyledText {
    guard var line = first else { return StyledText() }
    for text in dropFirst() { line += StyledText(separator) + text }
    return line
  }
}

/// The number of columns that text takes on a terminal.
package enum TextWidth {
  package static func columns(of text: String) -> Int {
    // Most text is ASCII, of which each character takes one column.
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// The longest prefix of `text` that takes at most `columns`.
  package static func prefix(of text: String, columns: Int) -> String {
    var room = columns
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      room -= self.columns(of: scalar)
      guard room >= 0 else { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// The text for terminals that have only ASCII: typographic signs are replaced by ASCII characters of the same width.
  /// Other characters, such as those of names from outside, are kept.
  package static func withoutTypography(_ text: String) -> String {
    String(
      text.map { character in
        switch character {
        case "“", "”": "\""
        case "…": "~"
        case "×": "x"
        case "–": "-"
        default: character
        }
      })
  }

  /// Combining characters take no column, and wide ones two: these are the blocks of UAX #11 (East Asian Width) whose
  /// characters are wide.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case ..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return 0
      default: return 1
      }
    }
  }
}

package import TrackFormats

/// A user-defined line format: `%{key}` with any JSON key, `\n`, `\t`, `%%`.
package struct OutputTemplate: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case literal(String)
    case key(FixKey)
  }
  private var parts: [Part] = []

  /// The longest template that is accepted.
  package static let maximumBytes = 65_536

  /// Parses a template; a backslash before anything other than `n`, `t` or `\` stands for itself.
  package init(parsing text: String) throws(TemplateError) {
    guard text.utf8.count <= Self.maximumBytes else { throw .tooLong }
    var literal = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("%", "%"):
        rest.removeFirst()
        literal.append("%")
      case ("%", "{"):
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "}") else { throw .unclosedKey(String(rest)) }
        let name = String(rest[..<end])
        guard let key = FixKey(rawValue: name) else { throw .unknownKey(name) }
        rest = rest[rest.index(after: end)...]
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(.key(key))
      case ("%", _): throw .barePercent
      case ("\\", "n"): rest.removeFirst(); literal.append("\n")
      case ("\\", "t"): rest.removeFirst(); literal.append("\t")
      case ("\\", "\\"): rest.removeFirst(); literal.append("\\")
      default: literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
  }

  /// Fills in the template. Adds a line end if the template has none, because every fix is a line. A key that the fix lacks is
  /// empty, a list is joined by commas, and text from a device is sanitized so that it cannot control a terminal or end a line.
  package func line(_ located: LocatedFix) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let text): bytes += text.utf8
      case .key(let key):
        switch key.value(of: located) {
        case .number(let number): number.append(to: &bytes)
        case .text(let text): bytes += TerminalText.sanitized(text).utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .list(let items): bytes += items.joined(separator: ",").utf8
        case nil: break
        }
      }
    }
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    return bytes
  }
}

/// Why a text is not a valid template.
package enum TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownKey(String)
  case unclosedKey(String)
  case barePercent
  case tooLong

  package var description: String {
    switch self {
    case .unknownKey(let name):
      "The template has an unknown key '\(TerminalText.sanitized(name))': use "
        + "\(FixKey.allCases.map(\.rawValue).joined(separator: ", "))."
    case .unclosedKey(let rest): "The template's '%{\(TerminalText.sanitized(rest))' has no closing '}': add it."
    case .barePercent: "The template has a '%' without a '{key}': write '%%' for a percent sign."
    case .tooLong: "The template is too long: use at most \(OutputTemplate.maximumBytes) bytes."
    }
  }
}

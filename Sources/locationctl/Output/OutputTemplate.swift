package import TrackFormats

/// A user-defined line format: `%{key}` with any key of what a command prints, `\n`, `\t`, `%%`.
package struct KeyTemplate<Key: TemplateKey>: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case literal(String)
    case key(Key)
  }
  private var parts: [Part] = []

  /// Parses a template; a backslash before anything other than `n`, `t` or `\` stands for itself.
  package init(parsing text: String) throws(TemplateError) {
    guard text.utf8.count <= TemplateError.maximumBytes else { throw .tooLong }
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
        guard let key = Key(name: name) else { throw .unknownKey(name) }
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

  /// Fills in the template. Adds a line end if the template has none, because all output consists of lines. A key
  /// without a value is empty, a list is joined by commas, and text from outside is sanitized so that it cannot control
  /// a terminal or end a line.
  package func line(_ subject: Key.Subject) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let text): bytes += text.utf8
      case .key(let key):
        switch key.value(of: subject) {
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

/// A key of a template.
package protocol TemplateKey: Hashable, Sendable {
  /// The object that a command prints.
  associatedtype Subject

  /// `nil`: there is no such key.
  init?(name: String)
  /// The names of all keys.
  static var names: [String] { get }
  /// The value of `subject` for this key; `nil` if unknown.
  func value(of subject: Subject) -> OutputValue?
}

/// Keys that are an enumeration, whose raw values are the names.
extension TemplateKey where Self: CaseIterable & RawRepresentable<String> {
  package init?(name: String) { self.init(rawValue: name) }
  package static var names: [String] { allCases.map(\.rawValue) }
}

/// Why a text is not a valid template.
package enum TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownKey(String)
  case unclosedKey(String)
  case barePercent
  case tooLong

  /// Maximum length of a template, bytes.
  package static let maximumBytes = 65_536

  /// The message about the template of a fix.
  package var description: String { description(keys: FixTemplateKey.names) }

  package func description(keys: [String]) -> String {
    switch self {
    case .unknownKey(let name):
      "The template has an unknown key '\(TerminalText.sanitized(name))': use \(keys.joined(separator: ", "))."
    case .unclosedKey(let rest): "The template's '%{\(TerminalText.sanitized(rest))' has no closing '}': add it."
    case .barePercent: "The template has a '%' without a '{key}': write '%%' for a percent sign."
    case .tooLong: "The template is too long: use at most \(Self.maximumBytes) bytes."
    }
  }
}

import TrackFormats

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

import TrackFormats

/// Why a text is no template.
package enum TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownKey(String)
  case unclosedKey(String)
  case barePercent
  case tooLong

  package var description: String {
    switch self {
    case .unknownKey(let name):
      "The template's key '\(TerminalText.sanitized(name))' is none of "
        + "\(FixKey.allCases.map(\.rawValue).joined(separator: ", "))."
    case .unclosedKey(let rest): "The template's '%{\(TerminalText.sanitized(rest))' lacks its '}'."
    case .barePercent: "A '%' in a template starts a '%{key}'; write '%%' for a percent sign."
    case .tooLong: "A template may have \(OutputTemplate.maximumBytes) bytes at most."
    }
  }
}

/// The names that a new log may have: they need no quotes in a shell and are no paths, because scripts make names of files from
/// them.
///
/// A log from before this rule keeps its name, and can be used as any other.
package enum LogName {
  /// Maximum length, bytes of UTF-8.
  package static let maximumLength = 64

  /// Whether `name` consists of letters and digits of any script, `.`, `_` and `-`, and begins with a letter, a digit or `_`.
  package static func allows(_ name: String) -> Bool {
    guard (1...maximumLength).contains(name.utf8.count) else { return false }
    return name.unicodeScalars.enumerated().allSatisfy { index, scalar in
      switch scalar {
      case "_": return true
      case ".", "-": return index > 0
      default: break
      }
      return switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
      // Accents, and the vowels of some scripts.
      case .nonspacingMark, .spacingMark: index > 0
      default: false
      }
    }
  }
}

/// The meaning of a piece of text, which a terminal with colors shows by a color. Without colors no information is lost.
package enum TextRole: Hashable, Sendable {
  case plain
  /// Titles and names of columns.
  case heading
  /// All is well, running, granted.
  case good
  /// Worse than it could be.
  case warning
  /// Fails, or must not be trusted.
  case bad
  /// Of less importance: labels, and what is not current.
  case dim

  /// The parameters of the SGR sequence (ECMA-48, section 8.3.117); they begin with a reset.
  var codes: String {
    switch self {
    case .plain: "0"
    case .heading: "0;1"
    case .good: "0;32"
    case .warning: "0;33"
    case .bad: "0;31"
    case .dim: "0;2"
    }
  }
}

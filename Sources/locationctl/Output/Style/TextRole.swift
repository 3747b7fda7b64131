/// The meaning of a piece of text, which a terminal with colors shows by a color. No information is lost without
/// colors.
package enum TextRole: Hashable, Sendable {
  case plain
  /// Titles and names of columns.
  case heading
  /// Healthy, running or granted.
  case good
  /// Works, but not as well as it could.
  case warning
  /// Failed, or must not be trusted.
  case bad
  /// Less important: labels, and values that are not current.
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

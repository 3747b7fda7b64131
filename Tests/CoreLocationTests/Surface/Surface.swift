import Foundation

/// The declarations of a module in the spelling of the table (`Container.declaration`), and the conformances of its types.
struct Surface {
  /// `CLLocation.open var altitude: CLLocationDistance { get }`.
  var declarations: Set<String> = []
  /// For each type, what it inherits from and conforms to.
  var conformances: [String: Set<String>] = [:]
  /// For each type, what it must not conform to.
  var excluded: [String: Set<String>] = [:]

  /// A declaration in one spelling: for a client, a constant is equivalent to a read-only property.
  static func canonical(_ declaration: String) -> String {
    var text = declaration.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    text = text.replacing(" :", with: ":").replacing(" { get set }", with: "")
    if let range = text.range(of: "let "), !text.contains("func ") {
      text = text.replacingCharacters(in: range, with: "var ") + " { get }"
    }
    return text
  }
}

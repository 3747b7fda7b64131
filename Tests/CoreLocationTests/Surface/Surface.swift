import Foundation

/// A module's declarations in the spelling of the table: `Container.declaration`, and what its types are.
struct Surface {
  /// `CLLocation.open var altitude: CLLocationDistance { get }`.
  var declarations: Set<String> = []
  /// By type, what it inherits from and conforms to.
  var conformances: [String: Set<String>] = [:]
  /// By type, what it must not conform to.
  var excluded: [String: Set<String>] = [:]

  /// A declaration in one spelling: a constant is as good to a client as a property that can only be read.
  static func canonical(_ declaration: String) -> String {
    var text = declaration.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    text = text.replacing(" :", with: ":").replacing(" { get set }", with: "")
    if let range = text.range(of: "let "), !text.contains("func ") {
      text = text.replacingCharacters(in: range, with: "var ") + " { get }"
    }
    return text
  }
}

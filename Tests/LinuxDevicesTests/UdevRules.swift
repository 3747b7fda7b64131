import Foundation

/// The rules file of this repository, line by line.
struct UdevRules {
  static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("udev/60-swift-corelocation.rules").path

  /// One `KEY{attribute} operator "value"` in a rule.
  struct Term: Hashable {
    var key: String
    var attribute: String
    var operation: String
    var value: String
  }

  struct Malformed: Error {
    let line: Substring
  }

  /// The terms of each rule, without comments and blank lines.
  let rules: [[Term]]

  init() throws {
    let text = try String(contentsOfFile: Self.path, encoding: .utf8)
    rules = try text.split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in try Self.terms(line) }
  }

  /// The VID:PIDs that lead to a label, such as `1546:01a7`.
  func identities(leadingTo label: String) -> [String] {
    rules.compactMap { rule in
      guard rule.contains(Term(key: "GOTO", attribute: "", operation: "=", value: label)),
        let vendor = rule.first(where: { $0.key == "ATTRS" && $0.attribute == "idVendor" }),
        let product = rule.first(where: { $0.key == "ATTRS" && $0.attribute == "idProduct" })
      else { return nil }
      return "\(vendor.value):\(product.value)"
    }
  }

  /// udev(7): terms are separated by commas; values are in double quotes, and contain none in this package's rules.
  private static func terms(_ line: Substring) throws -> [Term] {
    let pattern = #/(?<key>[A-Z_]+)(\{(?<attribute>[^}]+)\})?(?<operation>==|!=|\+=|:=|=)"(?<value>[^"]*)"/#
    var rest = line
    var terms: [Term] = []
    while let match = try pattern.prefixMatch(in: rest) {
      terms.append(
        Term(
          key: String(match.key), attribute: String(match.attribute ?? ""), operation: String(match.operation),
          value: String(match.value)))
      rest = rest[match.range.upperBound...]
      guard rest.hasPrefix(", ") else { break }
      rest = rest.dropFirst(2)
    }
    guard rest.isEmpty, !terms.isEmpty else { throw Malformed(line: line) }
    return terms
  }
}

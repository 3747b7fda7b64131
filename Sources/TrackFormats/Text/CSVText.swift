/// Fields of CSV (RFC 4180).
enum CSVText {
  /// Writes one field; nothing if the value is unknown.
  static func append(_ value: OutputValue?, to bytes: inout [UInt8]) {
    switch value {
    case .number(let number): number.append(to: &bytes)
    case .text(let text): append(text, to: &bytes)
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .list(let items): append(items.joined(separator: " "), to: &bytes)
    case nil: break
    }
  }

  /// Appends a text, quoted if it contains a comma or a quotation mark. Characters that control a terminal or break
  /// lines become U+FFFD. A text that a spreadsheet would evaluate gets a leading apostrophe, because it may come from
  /// a device.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var field = String.UnicodeScalarView()
    if let first = text.unicodeScalars.first, ["=", "+", "-", "@"].contains(first) { field.append("'") }
    for scalar in text.unicodeScalars {
      if scalar == "\"" { field.append(scalar) }
      field.append(scalar.isHarmful ? "\u{FFFD}" : scalar)
    }
    let isQuoted = field.contains { $0 == "," || $0 == "\"" }
    if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    bytes += String(field).utf8
    if isQuoted { bytes.append(UInt8(ascii: "\"")) }
  }
}

/// One JSON object (RFC 8259) on one line, written key by key.
package struct JSONObject: Sendable {
  /// The version that every line has under the key "schema" (Documentation/JSON.md, "Schema version").
  package static let schema = 1
  private static let lineStart = Array("{\"schema\":\(schema)".utf8)

  private var bytes: [UInt8] = []

  package init() {
    // Enough for a fix with all its values.
    bytes.reserveCapacity(640)
    bytes.append(UInt8(ascii: "{"))
  }

  /// Adds a member; does nothing for `nil`. The caller must keep keys unique.
  package mutating func add(_ key: String, _ value: OutputValue?) {
    guard let value else { return }
    addKey(key)
    Self.append(value, to: &bytes)
  }

  /// Appends `value` to `bytes`, as a member's value or an array's element.
  static func append(_ value: OutputValue, to bytes: inout [UInt8]) {
    switch value {
    case .number(let number): number.append(to: &bytes)
    case .text(let text): append(string: text, to: &bytes)
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .list(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(string: item, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Adds a member whose value is JSON text.
  package mutating func add(_ key: String, rawValue: [UInt8]) {
    addKey(key)
    bytes += rawValue
  }

  /// The closed object, without a line end.
  package var closed: [UInt8] { bytes + CollectionOfOne(UInt8(ascii: "}")) }

  /// The object as a separate line, which names the schema.
  package var line: [UInt8] {
    var line = Self.lineStart
    line.reserveCapacity(bytes.count + 16)
    if bytes.count > 1 {
      line.append(UInt8(ascii: ","))
      line += bytes.dropFirst()
    }
    line.append(UInt8(ascii: "}"))
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Objects as the value of a member.
  package static func list(_ objects: [JSONObject]) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += object.closed
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  private mutating func addKey(_ key: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    Self.append(string: key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  private static func append(string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    // Nearly all texts are plain.
    if isPlain(string.utf8.span) {
      bytes.append(contentsOf: string.utf8)
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      // More than JSON requires: a line is often read on a terminal, and its text may come from a device.
      case _ where scalar.isHarmful:
        let hex = String(scalar.value, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: max(0, 4 - hex.utf8.count)))\(hex)".utf8
      default: bytes += String(scalar).utf8
      }
    }
  }

  /// Whether the whole text needs no escaping.
  static func isPlain(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !isPlain(text[index]) { return false }
    return true
  }

  /// A printable ASCII character that needs no escaping.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

/// One value of an output line, independent of the format.
package enum OutputValue: Hashable, Sendable {
  case number(FixedDecimal)
  case text(String)
  case flag(Bool)
  case list([String])

  /// A number, or `nil` if it is not representable.
  package static func number(_ value: Double?, decimals: Int, minimum: Int? = nil) -> OutputValue? {
    value.flatMap { FixedDecimal($0, decimals: decimals, minimum: minimum) }.map { .number($0) }
  }

  package static func number(_ value: Int?) -> OutputValue? { value.map { .number(FixedDecimal($0)) } }
  package static func text(_ value: String?) -> OutputValue? { value.map { .text($0) } }

  /// Meters, or meters per second: to the millimeter.
  package static func meters(_ value: Double?) -> OutputValue? { .number(value, decimals: 3, minimum: 2) }
}

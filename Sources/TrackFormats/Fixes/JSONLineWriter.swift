import Geodesy

/// Writes fixes as JSON lines, with the keys of the command line contract, into storage that is reused for all of them.
package struct JSONLineWriter: Sendable {
  /// The longest line without texts of devices and notations: its keys, and a mean of 20 characters for each value.
  private static let longestLine = 1024
  /// The most bytes that a byte of a text needs (`\u001b`).
  private static let longestEscape = 6
  /// The longest name of a notation with its quotation marks, comma and colon.
  private static let longestKey = 24
  /// The start of a line; every name after it begins with a comma.
  private static let lineStart = ShortText("{\"schema\":\(JSONObject.schema)")

  private var bytes: [UInt8] = Array(repeating: 0, count: 2 * longestLine)

  package init() {}

  /// The line of a fix; unknown values are absent.
  package mutating func line(_ located: LocatedFix) -> ArraySlice<UInt8> {
    let texts = (located.fix.device?.utf8.count ?? 0) + (located.fix.receiver?.utf8.count ?? 0)
    let notations = located.notations.count * (CoordinateStyle.longestText * Self.longestEscape + Self.longestKey)
    let longest = Self.longestLine + Self.longestEscape * texts + notations
    if bytes.count < longest { bytes = Array(repeating: 0, count: longest) }
    var text = TextCursor(bytes.mutableSpan)
    Self.write(located, to: &text)
    let end = text.position
    return bytes[..<end]
  }

  private static func write(_ located: LocatedFix, to text: inout TextCursor) {
    let keys = FixKey.all
    let names = FixKey.jsonNames
    text.write(lineStart)
    for index in keys.indices {
      // Avoids creating a string for the time.
      if keys[index] == .timestamp {
        guard let time = Timestamp(located.fix.time) else { continue }
        text.write(names[index])
        text.write(UInt8(ascii: "\""))
        time.write(to: &text)
        text.write(UInt8(ascii: "\""))
      } else if let value = keys[index].value(of: located) {
        text.write(names[index])
        write(value, to: &text)
      }
    }
    for style in located.notations {
      guard let key = style.key, let value = style.text(located.fix.coordinate) else { continue }
      text.write(",\"\(key)\":".utf8.span)
      write(value, to: &text)
    }
    text.write(UInt8(ascii: "}"))
    text.write(UInt8(ascii: "\n"))
  }

  private static func write(_ value: OutputValue, to text: inout TextCursor) {
    switch value {
    case .number(let number): number.write(to: &text)
    case .text(let string): write(string, to: &text)
    case .flag(let flag): text.write((flag ? "true" : "false").utf8.span)
    case .list(let items):
      text.write(UInt8(ascii: "["))
      for index in items.indices {
        if index > 0 { text.write(UInt8(ascii: ",")) }
        write(items[index], to: &text)
      }
      text.write(UInt8(ascii: "]"))
    }
  }

  private static func write(_ string: String, to text: inout TextCursor) {
    // Nearly all texts are plain.
    guard JSONObject.isPlain(string.utf8.span) else {
      var escaped: [UInt8] = []
      JSONObject.append(.text(string), to: &escaped)
      text.write(escaped.span)
      return
    }
    text.write(UInt8(ascii: "\""))
    text.write(string.utf8.span)
    text.write(UInt8(ascii: "\""))
  }
}

/// A fix as one JSON object per line, with the keys of the command line contract; unknown values are absent.
package enum JSONFormat {
  package static func line(_ located: LocatedFix) -> [UInt8] {
    var writer = JSONLineWriter()
    return Array(writer.line(located))
  }

  /// The object with only some of the keys.
  package static func object(_ located: LocatedFix, keys: [FixKey]) -> JSONObject {
    var object = JSONObject()
    for key in keys { object.add(key.rawValue, key.value(of: located)) }
    return object
  }
}

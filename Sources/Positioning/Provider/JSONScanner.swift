/// Parses a JSON text (RFC 8259) and keeps the numbers and texts of its objects by their path. For small answers with known keys.
package struct JSONScanner {
  /// The position of a syntax error.
  package struct Problem: Error, Hashable {
    package var offset: Int
  }

  package enum Value: Hashable, Sendable {
    case number(Double)
    case text(String)
    case other
  }

  /// More than any provider's answer needs; with lists, for each of their first elements.
  private static let deepest = 16
  private static let mostValues = 256
  private static let longestKey = 64

  private let bytes: [UInt8]
  /// The number of elements of each list whose values are kept; the others are only validated.
  private let elements: Int
  private var offset = 0
  private var values: [String: Value] = [:]

  private init(_ bytes: [UInt8], elements: Int) { (self.bytes, self.elements) = (bytes, elements) }

  /// The values of an object and of its nested objects, by paths such as "location.lat"; of a repeated key, the last.
  ///
  /// - Parameter elements: also those of the first elements of lists, by paths such as "features.0.name"; 0: of none.
  package static func values(_ bytes: [UInt8], lists elements: Int = 0) throws(Problem) -> [String: Value] {
    var scanner = JSONScanner(bytes, elements: elements)
    scanner.skipBlanks()
    guard scanner.next == UInt8(ascii: "{") else { throw scanner.problem }
    try scanner.value("", depth: 0)
    scanner.skipBlanks()
    guard scanner.next == nil else { throw scanner.problem }
    return scanner.values
  }

  private var problem: Problem { Problem(offset: offset) }
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private mutating func consume(_ byte: Character) throws(Problem) {
    guard next == byte.asciiValue else { throw problem }
    offset += 1
  }

  private mutating func note(_ path: String?, _ value: Value) throws(Problem) {
    guard let path else { return }
    guard values.count < Self.mostValues * (elements + 1) || values[path] != nil else { throw problem }
    values[path] = value
  }

  /// - Parameter path: `nil` within a list of which no values are kept.
  private mutating func value(_ path: String?, depth: Int) throws(Problem) {
    guard depth < Self.deepest else { throw problem }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): try object(path, depth: depth)
    case UInt8(ascii: "["): try list(path, depth: depth)
    case UInt8(ascii: "\""): try note(path, .text(try text()))
    case UInt8(ascii: "t"): try word("true", path)
    case UInt8(ascii: "f"): try word("false", path)
    case UInt8(ascii: "n"): try word("null", path)
    default: try note(path, .number(try number()))
    }
  }

  private mutating func word(_ word: String, _ path: String?) throws(Problem) {
    for byte in word.utf8 {
      guard next == byte else { throw problem }
      offset += 1
    }
    try note(path, .other)
  }

  private mutating func object(_ path: String?, depth: Int) throws(Problem) {
    try consume("{")
    if let path, !path.isEmpty { try note(path, .other) }
    skipBlanks()
    guard next != UInt8(ascii: "}") else { return offset += 1 }
    while true {
      skipBlanks()
      let key = try text()
      skipBlanks()
      try consume(":")
      // No key of interest is that long.
      let inner = key.utf8.count <= Self.longestKey ? path.map { $0.isEmpty ? key : "\($0).\(key)" } : nil
      try value(inner, depth: depth + 1)
      skipBlanks()
      guard next == UInt8(ascii: ",") else { break }
      offset += 1
    }
    try consume("}")
  }

  private mutating func list(_ path: String?, depth: Int) throws(Problem) {
    try consume("[")
    let path = elements > 0 ? path : nil
    try note(path, .other)
    skipBlanks()
    guard next != UInt8(ascii: "]") else { return offset += 1 }
    var count = 0
    while true {
      try value(count < elements ? path.map { "\($0).\(count)" } : nil, depth: depth + 1)
      count += 1
      skipBlanks()
      guard next == UInt8(ascii: ",") else { break }
      offset += 1
    }
    try consume("]")
  }

  private mutating func text() throws(Problem) -> String {
    try consume("\"")
    let start = offset
    var hasEscapes = false
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw problem }
      if byte == UInt8(ascii: "\\") { hasEscapes = true }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < bytes.count else { throw problem }
    defer { offset += 1 }
    guard hasEscapes else { return String(decoding: bytes[start..<offset], as: UTF8.self) }
    return String(decoding: try Self.unescaped(bytes[start..<offset]), as: UTF16.self)
  }

  /// The units of UTF-16 of a text with escapes (RFC 8259, section 7); an unpaired half of a character becomes a replacement character
  /// when it is decoded.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) throws(Problem) -> [UInt16] {
    var units: [UInt16] = []
    var offset = bytes.startIndex
    var plain = offset
    func take(_ end: Int) { units += String(decoding: bytes[plain..<end], as: UTF8.self).utf16 }
    while offset < bytes.endIndex {
      guard bytes[offset] == UInt8(ascii: "\\") else {
        offset += 1
        continue
      }
      take(offset)
      // The caller has skipped the byte after each backslash, so that there is one.
      let escape = bytes[offset + 1]
      offset += 2
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(UInt16(escape))
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        guard offset + 4 <= bytes.endIndex,
          bytes[offset..<(offset + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let unit = UInt16(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self), radix: 16)
        else { throw Problem(offset: offset) }
        units.append(unit)
        offset += 4
      default: throw Problem(offset: offset - 1)
      }
      plain = offset
    }
    take(bytes.endIndex)
    return units
  }

  private mutating func number() throws(Problem) -> Double {
    let start = offset
    while let byte = next, Self.digits.contains(byte) { offset += 1 }
    // Numbers that Swift accepts and JSON does not, such as "+1", ".5" or "01", do no harm; "nan" and "0x1" have other letters.
    guard offset - start <= Self.longestNumber,
      let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), number.isFinite
    else { throw problem }
    return number
  }

  private static let digits = Array("0123456789+-.eE".utf8)
  private static let longestNumber = 40
}

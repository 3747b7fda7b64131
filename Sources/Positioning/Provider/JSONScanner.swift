/// Parses a JSON text (RFC 8259) and keeps the numbers and texts of its objects by their path; lists are only validated. For
/// small answers with known keys.
struct JSONScanner {
  /// The position of a syntax error.
  struct Problem: Error, Hashable {
    var offset: Int
  }

  enum Value: Hashable {
    case number(Double)
    case text(String)
    case other
  }

  /// More than any provider's answer needs.
  private static let deepest = 16
  private static let mostValues = 256

  private let bytes: [UInt8]
  private var offset = 0
  private var values: [String: Value] = [:]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The values of an object and of its nested objects, by paths such as "location.lat"; of a repeated key, the last.
  static func values(_ bytes: [UInt8]) throws(Problem) -> [String: Value] {
    var scanner = JSONScanner(bytes)
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
    guard values.count < Self.mostValues || values[path] != nil else { throw problem }
    values[path] = value
  }

  /// - Parameter path: `nil` within a list.
  private mutating func value(_ path: String?, depth: Int) throws(Problem) {
    guard depth < Self.deepest else { throw problem }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): try object(path, depth: depth)
    case UInt8(ascii: "["): try list(depth: depth)
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
      try value(path.map { $0.isEmpty ? key : "\($0).\(key)" }, depth: depth + 1)
      skipBlanks()
      guard next == UInt8(ascii: ",") else { break }
      offset += 1
    }
    try consume("}")
  }

  private mutating func list(depth: Int) throws(Problem) {
    try consume("[")
    skipBlanks()
    guard next != UInt8(ascii: "]") else { return offset += 1 }
    while true {
      try value(nil, depth: depth + 1)
      skipBlanks()
      guard next == UInt8(ascii: ",") else { break }
      offset += 1
    }
    try consume("]")
  }

  /// Escapes stay as written: no key of interest has one.
  private mutating func text() throws(Problem) -> String {
    try consume("\"")
    let start = offset
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw problem }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < bytes.count else { throw problem }
    defer { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
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

/// Reads XML 1.0 in UTF-8 tag by tag: as much of it as GPX files have. It defines nothing, fetches nothing, and keeps no
/// more than one tag.
struct XMLScanner {
  enum Token: Hashable {
    /// A start tag by its local name; an empty element's end follows as a token of its own.
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
  }

  private let bytes: [UInt8]
  private(set) var offset: Int
  private var open: [String] = []
  private var pendingEnd = false

  /// How deep elements may stand in each other.
  static let maximumDepth = 64
  /// The longest text and attribute that is kept.
  static let maximumText = 4096

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark.
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// How many elements are open.
  var depth: Int { open.count }

  /// The next token; `nil` at the document's end.
  mutating func next() throws(GPXError) -> Token? {
    if pendingEnd {
      pendingEnd = false
      return .end(name: Self.local(open.removeLast()))
    }
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
        let text = try unescaped(bytes[start..<offset])
        if open.isEmpty {
          guard text.utf8.allSatisfy(Self.isBlank) else { throw .notXML(at: start) }
          continue
        }
        return .text(text)
      }
      if has("<!--") {
        try skip(past: "-->")
      } else if has("<![CDATA[") {
        let start = offset + 9
        try skip(past: "]]>")
        guard !open.isEmpty else { throw .notXML(at: start) }
        return .text(String(decoding: bytes[start..<(offset - 3)].prefix(Self.maximumText), as: UTF8.self))
      } else if has("<?") {
        try skip(past: "?>")
      } else if has("<!") {
        throw .documentType
      } else if has("</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
    guard open.isEmpty else { throw .notXML(at: offset) }
    return nil
  }

  private mutating func endTag() throws(GPXError) -> Token {
    let start = offset
    offset += 2
    let name = try name()
    skipBlanks()
    guard consume(">"), open.last == name else { throw .notXML(at: start) }
    open.removeLast()
    return .end(name: Self.local(name))
  }

  private mutating func startTag() throws(GPXError) -> Token {
    let start = offset
    offset += 1
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      skipBlanks()
      if consume(">") { break }
      if has("/>") {
        offset += 2
        pendingEnd = true
        break
      }
      let key = try self.name()
      skipBlanks()
      guard consume("=") else { throw .notXML(at: offset) }
      skipBlanks()
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else {
        throw .notXML(at: offset)
      }
      let quote = bytes[offset]
      let from = offset + 1
      offset = from
      while offset < bytes.count, bytes[offset] != quote, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
      guard offset < bytes.count, bytes[offset] == quote, attributes[key] == nil else { throw .notXML(at: offset) }
      attributes[key] = try unescaped(bytes[from..<offset])
      offset += 1
    }
    guard open.count < Self.maximumDepth else { throw .notXML(at: start) }
    open.append(name)
    return .start(name: Self.local(name), attributes: attributes)
  }

  private mutating func name() throws(GPXError) -> String {
    let start = offset
    while offset < bytes.count, Self.isName(bytes[offset]) { offset += 1 }
    guard offset > start, offset - start <= 256 else { throw .notXML(at: start) }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func skip(past end: String) throws(GPXError) {
    let start = offset
    let first = end.utf8.first
    while offset < bytes.count {
      if bytes[offset] == first, has(end) {
        offset += end.utf8.count
        return
      }
      offset += 1
    }
    throw .notXML(at: start)
  }

  private mutating func skipBlanks() {
    while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private func has(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  /// Text with the five entities that XML has without a document type, and characters by number.
  private func unescaped(_ text: ArraySlice<UInt8>) throws(GPXError) -> String {
    let text = text.prefix(Self.maximumText)
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result = ""
    var rest = text
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += String(decoding: rest[..<ampersand], as: UTF8.self)
      guard let end = rest[ampersand...].firstIndex(of: UInt8(ascii: ";")) else { throw .notXML(at: ampersand) }
      switch String(decoding: rest[(ampersand + 1)..<end], as: UTF8.self) {
      case "amp": result += "&"
      case "lt": result += "<"
      case "gt": result += ">"
      case "quot": result += "\""
      case "apos": result += "'"
      case let name where name.hasPrefix("#"):
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        guard let scalar = number.flatMap({ Unicode.Scalar($0) }) else { throw .notXML(at: ampersand) }
        result.unicodeScalars.append(scalar)
      default: throw .notXML(at: ampersand)
      }
      rest = rest[(end + 1)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  private static func local(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"), 0x80...0xFF:
      true
    default: false
    }
  }
}

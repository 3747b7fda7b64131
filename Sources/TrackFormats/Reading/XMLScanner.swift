/// Reads XML 1.0 in UTF-8 tag by tag, from a whole text or as its bytes arrive: the subset that GPX and KML files use. It defines
/// no entities, fetches nothing, and stores at most one tag of its input.
struct XMLScanner {
  enum Token: Hashable {
    /// A start tag by its local name; the end of an empty element follows as a separate token.
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
  }

  /// The context of the next byte.
  private enum Part {
    case content
    case comment
    case instruction
    case characterData
  }

  /// The bytes of the input that have not been released: consumed ones up to `position`, and the ones after it.
  private var bytes: [UInt8]
  /// The offset in `bytes` of the next byte.
  private var position = 0
  private var bytesBefore = 0
  /// The number of line ends in the released bytes and in the first `counted` of `bytes`.
  private var lineEnds = 0
  private var counted = 0
  /// Whether the input has ended.
  private var isWhole: Bool
  private var part = Part.content
  private var open: [String] = []
  private var pendingEnd = false
  /// The encoding that the XML declaration names, if it names one.
  private(set) var encoding: String?

  /// The deepest nesting of elements.
  static let maximumDepth = 64
  /// The longest attribute that is kept, and the longest piece of a text.
  static let maximumText = 4096
  /// The longest tag.
  static let maximumTag = 65_536
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A scanner of a complete text.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isWhole = true
    skipByteOrderMark()
  }

  /// A scanner of a text whose bytes arrive later: see `receive`.
  init() {
    bytes = []
    isWhole = false
  }

  /// The number of open elements.
  var depth: Int { open.count }
  /// The number of bytes consumed.
  var offset: Int { bytesBefore + position }

  /// Appends bytes of the text.
  mutating func receive(_ more: Span<UInt8>) {
    count(to: position)
    bytesBefore += position
    bytes.removeFirst(position)
    (position, counted) = (0, 0)
    bytes.reserveCapacity(bytes.count + more.count)
    for index in more.indices { bytes.append(more[index]) }
  }

  /// Ends the input.
  mutating func finish() { isWhole = true }

  /// The position of a byte that has not been released.
  mutating func place(_ offset: Int) -> TextPosition {
    count(to: min(max(0, offset - bytesBefore), bytes.count))
    return TextPosition(line: lineEnds + 1, byte: offset)
  }

  private mutating func count(to end: Int) {
    for byte in bytes[min(counted, end)..<max(counted, end)] where byte == 0x0A { lineEnds += end > counted ? 1 : -1 }
    counted = end
  }

  /// The next token; `nil` at the end of the document, or if more bytes are needed. A long text is returned in pieces.
  mutating func next() throws(XMLError) -> Token? {
    if pendingEnd {
      pendingEnd = false
      return .end(name: Self.local(open.removeLast()))
    }
    if bytesBefore == 0, position == 0 {
      guard isWhole || bytes.count >= Self.byteOrderMark.count else { return nil }
      skipByteOrderMark()
    }
    while position < bytes.count {
      switch part {
      case .comment: guard try skip(past: "-->") else { return nil }
      case .instruction:
        guard try skip(past: "?>") else { return nil }
      case .characterData:
        if let text = try characterData() { return .text(text) }
        if part == .characterData { return nil }
      case .content:
        guard bytes[position] == UInt8(ascii: "<") else {
          guard let text = try text() else { return nil }
          if !text.isEmpty { return .text(text) }
          continue
        }
        guard try isReady() else { return nil }
        if has("<!--") {
          (part, position) = (.comment, position + 4)
        } else if has("<![CDATA[") {
          guard !open.isEmpty else { throw .notXML(at: offset) }
          (part, position) = (.characterData, position + 9)
        } else if has("<?") {
          if offset <= Self.byteOrderMark.count { encoding = Self.encoding(bytes[position...]) }
          (part, position) = (.instruction, position + 2)
        } else if has("<!") {
          throw .documentType(at: offset)
        } else if has("</") {
          return try endTag()
        } else {
          return try startTag()
        }
      }
    }
    guard !isWhole || (open.isEmpty && part == .content) else { throw .cutOff(at: offset) }
    return nil
  }

  private mutating func skipByteOrderMark() {
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
  }

  /// Whether the markup that begins here with "<" can be consumed: a tag, or an instruction at the beginning of the
  /// text, must be complete; of other markup, enough to recognize its kind is needed.
  private func isReady() throws(XMLError) -> Bool {
    if isWhole { return true }
    let rest = bytes[position...]
    if has("<!") {
      return has("<!--") || has("<![CDATA[")
        || !("<!--".utf8.starts(with: rest) || "<![CDATA[".utf8.starts(with: rest))
    }
    guard rest.count > 1 else { return false }
    // Only the content of the first instruction matters.
    if has("<?") {
      return offset > Self.byteOrderMark.count || rest.count > Self.maximumTag || rest.contains(UInt8(ascii: ">"))
    }
    var quote: UInt8?
    for byte in rest.prefix(Self.maximumTag) {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return true
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    guard rest.count < Self.maximumTag else { throw .notXML(at: offset) }
    return false
  }

  /// Text up to the next tag, or a piece of it.
  ///
  /// - Returns: empty for white space outside of all elements; `nil` if more bytes are needed.
  private mutating func text() throws(XMLError) -> String? {
    let start = position
    var end = position
    let limit = min(bytes.count, start + Self.maximumText)
    while end < limit, bytes[end] != UInt8(ascii: "<") { end += 1 }
    let isEnd = end < bytes.count ? bytes[end] == UInt8(ascii: "<") : isWhole
    if !isEnd {
      end = wholeCharacters(from: start, to: end)
      // An ampersand further back than the longest reference cannot begin one.
      if let ampersand = bytes[start..<end].suffix(Self.longestEntity).lastIndex(of: UInt8(ascii: "&")),
        !bytes[ampersand..<end].contains(UInt8(ascii: ";"))
      {
        end = ampersand
      }
      guard end > start else { return nil }
    }
    if open.isEmpty {
      if let other = bytes[start..<end].firstIndex(where: { !Self.isBlank($0) }) {
        throw .notXML(at: bytesBefore + other)
      }
      position = end
      return ""
    }
    let text = try unescaped(bytes[start..<end])
    position = end
    return text
  }

  /// The longest reference: "&#x10FFFF;", and some zeros.
  private static let longestEntity = 16

  /// Character data up to its end, or a piece of it; `nil` if the end comes first, or if more bytes are needed.
  private mutating func characterData() throws(XMLError) -> String? {
    let start = position
    var end = position
    let limit = min(bytes.count, start + Self.maximumText)
    while end < limit, bytes[end] != UInt8(ascii: "]") || !"]]>".utf8.starts(with: bytes[end...].prefix(3)) { end += 1 }
    if bytes[end...].starts(with: "]]>".utf8) {
      part = .content
      position = end + 3
    } else {
      guard !isWhole || (end == limit && limit < bytes.count) else { throw .cutOff(at: bytesBefore + bytes.count) }
      end = wholeCharacters(from: start, to: end)
      position = end
    }
    return end > start ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
  }

  /// The last position up to `end` that does not split a UTF-8 character.
  private func wholeCharacters(from start: Int, to end: Int) -> Int {
    var first = end - 1
    while first > start, end - first < 4, bytes[first] & 0xC0 == 0x80 { first -= 1 }
    guard first >= start else { return end }
    let length =
      switch bytes[first] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      case _: 1
      }
    return end - first < length ? first : end
  }

  /// The value of `encoding` in an instruction that begins here.
  private static func encoding(_ bytes: ArraySlice<UInt8>) -> String? {
    let instruction = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    let parts = instruction.split { $0 == "\"" || $0 == "'" }
    guard let name = parts.firstIndex(where: { $0.hasSuffix("encoding=") }) else { return nil }
    return parts.indices.contains(name + 1) ? String(parts[name + 1]) : nil
  }

  private mutating func endTag() throws(XMLError) -> Token {
    let start = position
    position += 2
    let name = try name()
    skipBlanks()
    guard consume(">"), open.last == name else { throw .notXML(at: bytesBefore + start) }
    open.removeLast()
    return .end(name: Self.local(name))
  }

  private mutating func startTag() throws(XMLError) -> Token {
    let start = position
    position += 1
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      skipBlanks()
      if consume(">") { break }
      if has("/>") {
        position += 2
        pendingEnd = true
        break
      }
      let key = try self.name()
      skipBlanks()
      guard consume("=") else { throw .notXML(at: offset) }
      skipBlanks()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
        throw .notXML(at: offset)
      }
      let quote = bytes[position]
      let from = position + 1
      position = from
      while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "<") { position += 1 }
      guard position < bytes.count, bytes[position] == quote, attributes[key] == nil else { throw .notXML(at: offset) }
      attributes[key] = try unescaped(bytes[from..<position].prefix(Self.maximumText))
      position += 1
    }
    guard open.count < Self.maximumDepth else { throw .tooDeep(at: bytesBefore + start) }
    open.append(name)
    return .start(name: Self.local(name), attributes: attributes)
  }

  private mutating func name() throws(XMLError) -> String {
    let start = position
    while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
    guard position > start, position - start <= 256 else { throw .notXML(at: bytesBefore + start) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// - Returns: whether the end was found.
  private mutating func skip(past end: String) throws(XMLError) -> Bool {
    let first = end.utf8.first
    while position < bytes.count {
      if bytes[position] == first {
        if has(end) {
          position += end.utf8.count
          part = .content
          return true
        }
        // The rest of `end` may arrive later.
        if !isWhole, end.utf8.starts(with: bytes[position...]) { return false }
      }
      position += 1
    }
    guard !isWhole else { throw .cutOff(at: offset) }
    return false
  }

  private mutating func skipBlanks() {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Decodes the five predefined entities of XML, and character references.
  private func unescaped(_ text: ArraySlice<UInt8>) throws(XMLError) -> String {
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result = ""
    var rest = text
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += String(decoding: rest[..<ampersand], as: UTF8.self)
      guard let end = rest[ampersand...].prefix(Self.longestEntity).firstIndex(of: UInt8(ascii: ";")) else {
        throw .notXML(at: bytesBefore + ampersand)
      }
      switch String(decoding: rest[(ampersand + 1)..<end], as: UTF8.self) {
      case "amp": result += "&"
      case "lt": result += "<"
      case "gt": result += ">"
      case "quot": result += "\""
      case "apos": result += "'"
      case let name where name.hasPrefix("#"):
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        guard let scalar = number.flatMap({ Unicode.Scalar($0) }) else { throw .notXML(at: bytesBefore + ampersand) }
        result.unicodeScalars.append(scalar)
      default: throw .notXML(at: bytesBefore + ampersand)
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

/// Why a text is not XML of the supported subset.
enum XMLError: Error, Hashable {
  /// The payload is a byte offset in the text.
  case notXML(at: Int)
  /// Elements are nested deeper than `XMLScanner.maximumDepth`.
  case tooDeep(at: Int)
  case documentType(at: Int)
  /// The text is truncated.
  case cutOff(at: Int)
}

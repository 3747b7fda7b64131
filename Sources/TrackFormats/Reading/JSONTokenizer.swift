/// Splits JSON texts (RFC 8259) into tokens as their bytes arrive, one object or list after another, separated by a space, a line
/// end or a record separator (RFC 8142). It stores at most one name, text or number, and one bit for each nesting level.
package struct JSONTokenizer {
  package init() {}

  /// The deepest nesting of lists and objects.
  static let maximumDepth = 64
  /// The longest part of a text that is kept, in bytes of UTF-8; the rest is dropped.
  static let maximumText = 4096
  /// A longer number is rejected; no measured number has more characters than this.
  static let maximumNumber = 256

  private enum State {
    case betweenTexts
    case value
    case valueOrEnd
    case key
    case keyOrEnd
    case colon
    case commaOrEnd
    case text(isKey: Bool)
    case escape(isKey: Bool)
    /// The number of hexadecimal digits, of four, that are still to come, and the value so far.
    case escapedUnit(isKey: Bool, left: Int, UInt16)
    case number
    case word
  }

  private var state = State.betweenTexts
  /// The number of open lists and objects.
  package private(set) var depth = 0
  /// Which of them are objects: the innermost is the lowest bit.
  private var objects: UInt64 = 0
  private var kept: [UInt8] = []
  /// The first half of a character that is written as two escapes.
  private var highSurrogate: UInt16?
  private var line = 1
  private var bytesBefore = 0

  /// The last number as written.
  var numberText: String { String(decoding: kept, as: UTF8.self) }

  /// The next token.
  ///
  /// - Parameter offset: the first byte to read, advanced by this call; pass 0 for new bytes.
  /// - Returns: `nil` after the last of `bytes`: the next call must have the bytes that follow, with an `offset` of 0.
  package mutating func next(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONProblem) -> JSONToken? {
    while offset < bytes.count {
      switch state {
      case .text(let isKey):
        // Most characters of a text need no decoding.
        if highSurrogate == nil {
          while offset < bytes.count, case let byte = bytes[offset], Self.isPlain(byte) {
            if kept.count <= Self.maximumText { kept.append(byte) }
            offset += 1
          }
          guard offset < bytes.count else { continue }
        }
        let byte = bytes[offset]
        if let token = try textByte(byte, isKey: isKey, at: offset) {
          offset += 1
          return token
        }
        offset += 1
      case .escape(let isKey):
        try escapeByte(bytes[offset], isKey: isKey, at: offset)
        offset += 1
      case .escapedUnit(let isKey, let left, let unit):
        guard let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
          throw problem(.expected(.escape), at: offset)
        }
        let grown = unit << 4 | UInt16(digit)
        if left > 1 {
          state = .escapedUnit(isKey: isKey, left: left - 1, grown)
        } else {
          keep(unit: grown)
          state = .text(isKey: isKey)
        }
        offset += 1
      case .number:
        while offset < bytes.count, Self.isOfNumber(bytes[offset]) {
          guard kept.count < Self.maximumNumber else {
            throw problem(.expected(.shorterNumber(most: Self.maximumNumber)), at: offset)
          }
          kept.append(bytes[offset])
          offset += 1
        }
        if offset < bytes.count { return try numberEnd(at: offset) }
      case .word:
        guard Self.isLetter(bytes[offset]), kept.count < 6 else { return try wordEnd(at: offset) }
        kept.append(bytes[offset])
        offset += 1
      case .betweenTexts, .value, .valueOrEnd, .key, .keyOrEnd, .colon, .commaOrEnd:
        let token = try mark(bytes[offset], at: offset)
        offset += 1
        if let token { return token }
      }
    }
    bytesBefore += offset
    return nil
  }

  /// Call this after the last byte.
  func finish() throws(JSONProblem) {
    guard case .betweenTexts = state else { throw problem(.cutOff, at: 0) }
  }

  /// The position in the text of byte `offset` of the current bytes; of the next bytes if all current ones have been
  /// read.
  func place(_ offset: Int) -> TextPosition { TextPosition(line: line, byte: bytesBefore + offset) }

  private func problem(_ reason: JSONProblem.Reason, at offset: Int) -> JSONProblem {
    JSONProblem(reason: reason, place: place(offset))
  }

  // MARK: - Between texts and numbers

  private mutating func mark(_ byte: UInt8, at offset: Int) throws(JSONProblem) -> JSONToken? {
    switch byte {
    case 0x20, 0x09, 0x0D: return nil
    case 0x0A:
      line += 1
      return nil
    case _: break
    }
    switch state {
    case .betweenTexts:
      if byte == 0x1E || isByteOrderMark(byte, at: offset) { return nil }
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
        throw problem(.expected(.object), at: offset)
      }
      return try valueStart(byte, at: offset)
    case .value: return try valueStart(byte, at: offset)
    case .valueOrEnd:
      return byte == UInt8(ascii: "]") ? end(.listEnd) : try valueStart(byte, at: offset)
    case .key, .keyOrEnd:
      if byte == UInt8(ascii: "}"), case .keyOrEnd = state { return end(.objectEnd) }
      guard byte == UInt8(ascii: "\"") else { throw problem(.expected(.key), at: offset) }
      beginText(isKey: true)
      return nil
    case .colon:
      guard byte == UInt8(ascii: ":") else { throw problem(.expected(.colon), at: offset) }
      state = .value
      return nil
    case .commaOrEnd:
      let isObject = objects & 1 == 1
      if byte == UInt8(ascii: ",") {
        state = isObject ? .key : .value
        return nil
      }
      guard byte == UInt8(ascii: isObject ? "}" : "]") else { throw problem(.expected(.commaOrEnd), at: offset) }
      return end(isObject ? .objectEnd : .listEnd)
    case .text, .escape, .escapedUnit, .number, .word: preconditionFailure("within a text or number")
    }
  }

  private mutating func valueStart(_ byte: UInt8, at offset: Int) throws(JSONProblem) -> JSONToken? {
    switch byte {
    case UInt8(ascii: "{"): return try start(.objectStart, at: offset)
    case UInt8(ascii: "["): return try start(.listStart, at: offset)
    case UInt8(ascii: "\""):
      beginText(isKey: false)
      return nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): state = .number
    case _ where Self.isLetter(byte): state = .word
    case _: throw problem(.expected(.value), at: offset)
    }
    kept.removeAll(keepingCapacity: true)
    kept.append(byte)
    return nil
  }

  private mutating func start(_ token: JSONToken, at offset: Int) throws(JSONProblem) -> JSONToken {
    guard depth < Self.maximumDepth else { throw problem(.tooDeep(most: Self.maximumDepth), at: offset) }
    let isObject = token == .objectStart
    depth += 1
    objects = objects << 1 | (isObject ? 1 : 0)
    state = isObject ? .keyOrEnd : .valueOrEnd
    return token
  }

  private mutating func end(_ token: JSONToken) -> JSONToken {
    depth -= 1
    objects >>= 1
    valueEnd()
    return token
  }

  private mutating func valueEnd() { state = depth > 0 ? .commaOrEnd : .betweenTexts }

  private func isByteOrderMark(_ byte: UInt8, at offset: Int) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let position = bytesBefore + offset
    return position < mark.count && mark[position] == byte
  }

  // MARK: - Numbers and words

  private mutating func numberEnd(at offset: Int) throws(JSONProblem) -> JSONToken {
    guard let number = JSONNumber.parse(kept) else { throw problem(.expected(.number), at: offset - kept.count) }
    valueEnd()
    return .number(number)
  }

  private mutating func wordEnd(at offset: Int) throws(JSONProblem) -> JSONToken {
    let token: JSONToken? =
      switch String(decoding: kept, as: UTF8.self) {
      case "true": .flag(true)
      case "false": .flag(false)
      case "null": .null
      default: nil
      }
    guard let token else { throw problem(.expected(.value), at: offset - kept.count) }
    valueEnd()
    return token
  }

  static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  // MARK: - Texts

  private mutating func beginText(isKey: Bool) {
    kept.removeAll(keepingCapacity: true)
    highSurrogate = nil
    state = .text(isKey: isKey)
  }

  private mutating func textByte(_ byte: UInt8, isKey: Bool, at offset: Int) throws(JSONProblem) -> JSONToken? {
    switch byte {
    case UInt8(ascii: "\""):
      endSurrogate()
      let text = String(decoding: kept[..<wholeCharacters], as: UTF8.self)
      guard !isKey else {
        state = .colon
        return .key(text)
      }
      valueEnd()
      return .text(text)
    case UInt8(ascii: "\\"): state = .escape(isKey: isKey)
    case ..<0x20: throw problem(.expected(.textCharacter), at: offset)
    case _:
      if highSurrogate != nil { endSurrogate() }
      if kept.count <= Self.maximumText { kept.append(byte) }
    }
    return nil
  }

  /// The number of bytes of `kept` to return. Up to four bytes more than `maximumText` are kept, to detect a text that
  /// was cut; its last character may be incomplete, and is then dropped.
  private var wholeCharacters: Int {
    guard kept.count > Self.maximumText else { return kept.count }
    var end = Self.maximumText
    while end > 0, kept[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  private mutating func escapeByte(_ byte: UInt8, isKey: Bool, at offset: Int) throws(JSONProblem) {
    state = .text(isKey: isKey)
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): keep(unit: UInt16(byte))
    case UInt8(ascii: "b"): keep(unit: 0x08)
    case UInt8(ascii: "f"): keep(unit: 0x0C)
    case UInt8(ascii: "n"): keep(unit: 0x0A)
    case UInt8(ascii: "r"): keep(unit: 0x0D)
    case UInt8(ascii: "t"): keep(unit: 0x09)
    case UInt8(ascii: "u"): state = .escapedUnit(isKey: isKey, left: 4, 0)
    case _: throw problem(.expected(.escape), at: offset)
    }
  }

  /// A unit of UTF-16, of which some characters need two (RFC 8259, section 7). An unpaired half becomes a replacement character.
  private mutating func keep(unit: UInt16) {
    if let high = highSurrogate, (0xDC00...0xDFFF).contains(unit) {
      highSurrogate = nil
      keep(value: 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00))
      return
    }
    endSurrogate()
    if (0xD800...0xDBFF).contains(unit) { highSurrogate = unit } else { keep(value: UInt32(unit)) }
  }

  private mutating func endSurrogate() {
    guard highSurrogate != nil else { return }
    highSurrogate = nil
    keep(value: 0xFFFD)
  }

  private mutating func keep(value: UInt32) {
    guard kept.count <= Self.maximumText else { return }
    kept += String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8
  }
}

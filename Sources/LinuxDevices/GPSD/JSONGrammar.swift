/// Checks that bytes are one complete JSON object (RFC 8259) on one line; leading zeros of numbers and the digits after
/// `\u` are not checked. libgps 3.22 hangs on some bytes that are no complete object.
enum JSONGrammar {
  /// Maximum depth: gpsd's objects are not nested as deeply.
  static let maximumDepth = 8

  static func isObject(_ bytes: [UInt8]) -> Bool {
    var reader = Reader(bytes: bytes)
    return reader.peek == UInt8(ascii: "{") && reader.value(depth: 0) && reader.isAtEnd
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    var isAtEnd: Bool {
      mutating get {
        skipBlanks()
        return position == bytes.count
      }
    }

    mutating func value(depth: Int) -> Bool {
      skipBlanks()
      switch peek {
      case UInt8(ascii: "{"): return container(end: UInt8(ascii: "}"), hasNames: true, depth: depth + 1)
      case UInt8(ascii: "["): return container(end: UInt8(ascii: "]"), hasNames: false, depth: depth + 1)
      case UInt8(ascii: "\""): return text()
      case UInt8(ascii: "t"): return word("true")
      case UInt8(ascii: "f"): return word("false")
      case UInt8(ascii: "n"): return word("null")
      case _: return number()
      }
    }

    private mutating func container(end: UInt8, hasNames: Bool, depth: Int) -> Bool {
      guard depth <= JSONGrammar.maximumDepth else { return false }
      position += 1
      if consume(end) { return true }
      repeat {
        if hasNames { guard text(), consume(UInt8(ascii: ":")) else { return false } }
        guard value(depth: depth) else { return false }
      } while consume(UInt8(ascii: ","))
      return consume(end)
    }

    private mutating func text() -> Bool {
      guard consume(UInt8(ascii: "\"")) else { return false }
      while let byte = peek {
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return true
        case UInt8(ascii: "\\"):
          guard let escaped = peek, "\"\\/bfnrtu".utf8.contains(escaped) else { return false }
          position += 1
        case ..<0x20: return false
        case _: break
        }
      }
      return false
    }

    private mutating func number() -> Bool {
      if peek == UInt8(ascii: "-") { position += 1 }
      guard digits() else { return false }
      if peek == UInt8(ascii: ".") {
        position += 1
        guard digits() else { return false }
      }
      guard peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") else { return true }
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      return digits()
    }

    private mutating func digits() -> Bool {
      let start = position
      while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
      return position > start
    }

    private mutating func word(_ word: String) -> Bool {
      guard bytes[position...].starts(with: word.utf8) else { return false }
      position += word.utf8.count
      return true
    }

    /// Consumes a punctuation byte and the blanks before it.
    private mutating func consume(_ mark: UInt8) -> Bool {
      skipBlanks()
      guard peek == mark else { return false }
      position += 1
      return true
    }

    private mutating func skipBlanks() { while peek == 0x20 || peek == 0x09 { position += 1 } }
  }
}

/// A token of a JSON text (RFC 8259).
package enum JSONToken: Hashable, Sendable {
  case objectStart
  case objectEnd
  case listStart
  case listEnd
  /// A member's name; its value is next.
  case key(String)
  case text(String)
  /// Infinite if the number exceeds the range of `Double`; `JSONTokenizer.numberText` has it as written.
  case number(Double)
  case flag(Bool)
  case null
}

/// Parses a number as JSON writes it (RFC 8259, section 6).
enum JSONNumber {
  /// - Returns: `nil` if the text is not a number; infinite if it exceeds the range of `Double`.
  static func parse(_ bytes: [UInt8]) -> Double? { parse(bytes, in: bytes.indices) }

  /// Parses a number in a part of `bytes`.
  static func parse(_ bytes: [UInt8], in part: Range<Int>) -> Double? {
    var offset = part.lowerBound
    let end = part.upperBound
    let isNegative = offset < end && bytes[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var significand: UInt64 = 0
    var significantDigits = 0
    func digits() -> Int {
      let start = offset
      while offset < end, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit <= 9 {
        if significantDigits > 0 || digit > 0 {
          significantDigits += 1
          significand = significand &* 10 &+ UInt64(digit)
        }
        offset += 1
      }
      return offset - start
    }
    let startsWithZero = offset < end && bytes[offset] == UInt8(ascii: "0")
    let whole = digits()
    guard whole == 1 || (whole > 1 && !startsWithZero) else { return nil }
    var decimals = 0
    if offset < end, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      decimals = digits()
      guard decimals > 0 else { return nil }
    }
    // Both operands are exact, so that the quotient is rounded once (Clinger, How to Read Floating Point Numbers Accurately, 1990).
    if offset == end, significantDigits <= 15, decimals < powersOfTen.count {
      let magnitude = Double(significand) / powersOfTen[decimals]
      return isNegative ? -magnitude : magnitude
    }
    if offset < end {
      guard bytes[offset] | 0x20 == UInt8(ascii: "e") else { return nil }
      offset += 1
      if offset < end, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
      guard digits() > 0, offset == end else { return nil }
    }
    return Double(String(decoding: bytes[part], as: UTF8.self))
  }

  /// All powers of ten that a `Double` represents exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

/// What was expected in a JSON text (RFC 8259) where something else was found.
package enum JSONExpectation: Hashable, Sendable {
  case value, key, colon, commaOrEnd, number, escape
  /// A character other than a control character.
  case textCharacter
  /// A number of at most this many characters.
  case shorterNumber(most: Int)
  /// An object: any other value contains nothing relevant.
  case object
}

/// Why bytes are not a JSON text that can be read.
package struct JSONProblem: Error, Hashable {
  package enum Reason: Hashable, Sendable {
    case expected(JSONExpectation)
    /// Lists and objects are nested deeper than this.
    case tooDeep(most: Int)
    /// The text is truncated.
    case cutOff
  }

  package let reason: Reason
  package let place: TextPosition
}

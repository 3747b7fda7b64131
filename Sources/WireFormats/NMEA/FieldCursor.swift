/// Reads the fields of one sentence in order, and records whether any field was invalid.
///
/// An empty field is `nil`, and so is a field after the last one. An unreadable field makes the whole sentence malformed. The
/// caller must check `isWellFormed` before it delivers any value of the sentence.
struct FieldCursor: ~Escapable {
  let bytes: Span<UInt8>
  /// The start of the next field; greater than `end` after the last field.
  private(set) var position: Int
  /// The position of the `*` after the last field.
  let end: Int
  private var isMalformed = false
  /// The number of decimals in the minutes of the latest coordinate, at most nine.
  var coordinateDecimals: UInt8 = 0

  /// A cursor over the fields in `bytes` from `start` up to the `*` at `end`.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    self.bytes = bytes
    position = start
    self.end = end
  }

  /// Whether the cursor is after the last field.
  var isAtEnd: Bool { position > end }

  /// Whether the caller read all fields and each was valid.
  var isWellFormed: Bool { !isMalformed && isAtEnd }

  @_lifetime(self: copy self)
  mutating func reject() { isMalformed = true }

  /// Whether the next field is missing or empty; skips an empty field.
  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func isEmpty() -> Bool {
    guard position < end else {
      position = end &+ 1
      return true
    }
    guard bytes[position] == 0x2C else { return false }
    position &+= 1
    return true
  }

  /// Moves to the next field. The sentence is malformed unless the field ends at `place`.
  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func finish(at place: Int) {
    if place == end || bytes[place] == 0x2C {
      position = place &+ 1
    } else {
      isMalformed = true
      skip(from: place)
    }
  }

  @_lifetime(self: copy self)
  private mutating func skip(from place: Int) {
    var place = place
    while place < end, bytes[place] != 0x2C { place &+= 1 }
    position = place &+ 1
  }

  /// Skips the first `count` bytes of a field that has at least `count` bytes.
  @_lifetime(self: copy self)
  mutating func drop(_ count: Int) { position = min(position &+ count, end) }

  /// Skips a field, whatever its content.
  @_lifetime(self: copy self)
  mutating func skip() { skip(from: position) }

  /// Skips `count` fields.
  @_lifetime(self: copy self)
  mutating func skip(_ count: Int) { for _ in 0..<count { skip(from: position) } }

  /// The number of fields from the current one to the last.
  var remaining: Int {
    guard !isAtEnd else { return 0 }
    var count = 1
    for place in position..<end where bytes[place] == 0x2C { count &+= 1 }
    return count
  }

  /// Whether the next field contains a decimal point.
  var isDecimal: Bool {
    var place = position
    while place < end, bytes[place] != 0x2C {
      if bytes[place] == 0x2E { return true }
      place &+= 1
    }
    return false
  }

  /// The single character of a field.
  @_lifetime(self: copy self)
  mutating func letter() -> UInt8? {
    guard !isEmpty() else { return nil }
    let letter = bytes[position]
    finish(at: position &+ 1)
    return letter
  }

  /// An unsigned integer in `range`, of at most nine digits.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func integer(in range: ClosedRange<Int>) -> Int? {
    guard !isEmpty() else { return nil }
    var place = position
    let limit = place &+ 10
    var value = 0
    while true {
      let digit = bytes[place] &- 0x30
      guard digit <= 9, place < limit else { break }
      value = value &* 10 &+ Int(digit)
      place &+= 1
    }
    if place == position || place == limit || !range.contains(value) { isMalformed = true }
    finish(at: place)
    return isMalformed ? nil : value
  }

  /// A decimal number with an optional sign, times 10^`decimals`, rounded half away from zero; in `range` (scaled).
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func decimal(_ decimals: Int, in range: ClosedRange<Int64>) -> Int64? {
    guard !isEmpty() else { return nil }
    var place = position
    let isNegative = bytes[place] == 0x2D
    if isNegative || bytes[place] == 0x2B { place &+= 1 }
    let value = fixedPoint(decimals, &place)
    finish(at: place)
    let signed = isNegative ? 0 &- value : value
    if value < 0 || !range.contains(signed) { isMalformed = true }
    return isMalformed ? nil : signed
  }

  /// The digits at `place`, scaled by 10^`decimals`; −1 if there are none, or more than 17 after scaling.
  @inline(__always)
  private func fixedPoint(_ decimals: Int, _ place: inout Int) -> Int64 {
    var value: Int64 = 0
    let first = place
    var digit = bytes[place] &- 0x30
    while digit <= 9 {
      value = value &* 10 &+ Int64(digit)
      place &+= 1
      digit = bytes[place] &- 0x30
    }
    var digits = place &- first
    var left = decimals
    if bytes[place] == 0x2E {
      place &+= 1
      digit = bytes[place] &- 0x30
      while digit <= 9, left > 0 {
        value = value &* 10 &+ Int64(digit)
        left &-= 1
        digits &+= 1
        place &+= 1
        digit = bytes[place] &- 0x30
      }
      if digit <= 9 {
        // The first dropped digit determines the rounding.
        if digit >= 5 { value &+= 1 }
        digits &+= 1
        while bytes[place] &- 0x30 <= 9 { place &+= 1 }
      }
    }
    guard digits > 0, digits &+ left <= 17 else { return -1 }
    return value &* PowerOfTen.value(left)
  }

  /// The rest of the sentence as text, including commas.
  @_lifetime(self: copy self)
  mutating func text() -> InlineText {
    guard !isAtEnd else { return InlineText() }
    let text = InlineText(bytes, from: position, to: end)
    position = end &+ 1
    return text
  }

  /// The value of the two digits at an index of `bytes`; `nil` if either is not a digit.
  @inline(__always)
  func twoDigits(at place: Int) -> Int? {
    let tens = bytes[place] &- 0x30
    let units = bytes[place &+ 1] &- 0x30
    guard tens <= 9, units <= 9 else { return nil }
    return Int(tens) &* 10 &+ Int(units)
  }

  /// Whether at least `count` bytes of the sentence remain before the `*`.
  @inline(__always)
  func has(_ count: Int) -> Bool { position &+ count <= end }

  /// Begins a field that the caller parses itself; `false` if the field is missing or empty.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func begin() -> Bool { !isEmpty() }

  /// Ends, at `place`, a field that the caller parsed itself.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func end(at place: Int) { finish(at: place) }
}

/// Powers of ten for scaling decimals.
enum PowerOfTen {
  /// 10^`exponent` for exponents 0…17; 1 for any other.
  @inline(__always)
  static func value(_ exponent: Int) -> Int64 {
    switch exponent {
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    case 11: 100_000_000_000
    case 12: 1_000_000_000_000
    case 13: 10_000_000_000_000
    case 14: 100_000_000_000_000
    case 15: 1_000_000_000_000_000
    case 16: 10_000_000_000_000_000
    case 17: 100_000_000_000_000_000
    default: 1
    }
  }
}

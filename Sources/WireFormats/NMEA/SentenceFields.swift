import Geodesy

/// The fields of one sentence, and whether any of them was not what its type allows.
///
/// A field is read where the sentence's table has it, 0 being the address. An empty field is `nil`; a field that cannot be
/// read makes the whole sentence malformed, and nothing of it is believed.
struct SentenceFields: ~Escapable {
  /// Commas that are kept; no sentence that is decoded by position has more fields than 40 (PUBX,03 is read onwards).
  static let maximumCommas = 48

  let bytes: Span<UInt8>
  /// Where the sentence begins (after `$`) and ends (before `*`) in `bytes`.
  private let start: Int
  private let end: Int
  private let commas: InlineArray<48, UInt16>
  /// Fields, the address included; commas beyond the maximum are not counted.
  let count: Int
  private(set) var isMalformed = false

  /// `commas`: their places, counted from the byte before `start`.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, start: Int, end: Int, commas: InlineArray<48, UInt16>, commaCount: Int) {
    self.bytes = bytes
    self.start = start
    self.end = end
    self.commas = commas
    count = commaCount + 1
  }

  /// Where field `index` begins; its end, where there is no such field.
  @inline(__always)
  func lower(_ index: Int) -> Int { start &+ (index == 0 ? 0 : Int(commas[index &- 1])) }

  @inline(__always)
  func upper(_ index: Int) -> Int { index < count &- 1 ? start &+ Int(commas[index]) &- 1 : end }

  @_lifetime(self: copy self)
  mutating func reject() { isMalformed = true }

  /// Whether the field is there and not empty.
  func has(_ index: Int) -> Bool { index < count && lower(index) < upper(index) }

  /// The single character of the field; `nil` where it is empty.
  @_lifetime(self: copy self)
  mutating func letter(_ index: Int) -> UInt8? {
    guard has(index) else { return nil }
    let lower = lower(index)
    guard upper(index) == lower + 1 else {
      reject()
      return nil
    }
    return bytes[lower]
  }

  /// A whole number without a sign, in `range`.
  @_lifetime(self: copy self)
  mutating func integer(_ index: Int, in range: ClosedRange<Int>) -> Int? {
    guard has(index) else { return nil }
    var value = 0
    var position = lower(index)
    let upper = upper(index)
    guard upper - position <= 9 else {
      reject()
      return nil
    }
    while position < upper {
      let digit = bytes[position] &- 0x30
      guard digit <= 9 else {
        reject()
        return nil
      }
      value = value &* 10 &+ Int(digit)
      position &+= 1
    }
    guard range.contains(value) else {
      reject()
      return nil
    }
    return value
  }

  /// A decimal number with an optional sign, times 10^`decimals`, rounded half away from zero; in `range` (scaled).
  @_lifetime(self: copy self)
  mutating func decimal(_ index: Int, decimals: Int, in range: ClosedRange<Int64>) -> Int64? {
    guard has(index) else { return nil }
    guard let value = Self.decimal(bytes, lower(index), upper(index), decimals: decimals), range.contains(value) else {
      reject()
      return nil
    }
    return value
  }

  /// The decimal number in `bytes[position..<upper]`, scaled; `nil` where it is none, or has more than 17 digits.
  static func decimal(_ bytes: Span<UInt8>, _ lower: Int, _ upper: Int, decimals: Int) -> Int64? {
    var position = lower
    var isNegative = false
    if position < upper, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
      isNegative = bytes[position] == UInt8(ascii: "-")
      position &+= 1
    }
    guard position < upper, upper - position <= 24 else { return nil }
    var value: Int64 = 0
    var digits = 0
    // Decimals still to come; the first one dropped decides on rounding.
    var left = decimals
    var hasPoint = false
    var roundsUp = false
    while position < upper {
      let byte = bytes[position]
      position &+= 1
      if byte == UInt8(ascii: ".") {
        guard !hasPoint else { return nil }
        hasPoint = true
        continue
      }
      let digit = byte &- 0x30
      guard digit <= 9 else { return nil }
      digits &+= 1
      if hasPoint {
        if left == 0 {
          roundsUp = digit >= 5
          left = -1
          continue
        }
        if left < 0 { continue }
        left &-= 1
      }
      value = value &* 10 &+ Int64(digit)
      guard value < 100_000_000_000_000_000 else { return nil }
    }
    guard digits > 0 else { return nil }
    while left > 0 {
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      value = scaled
      left &-= 1
    }
    if roundsUp { value += 1 }
    return isNegative ? -value : value
  }
}

/// A number with a fixed count of decimals, rounded half away from zero, written the same on every machine and in every
/// locale.
package struct FixedDecimal: Hashable, Sendable {
  /// Beyond this a position's number is nonsense, and scaled by 10⁹ it would not fit.
  package static let bound = 9e8

  private let isNegative: Bool
  /// The magnitude in units of the last decimal, 0…9·10¹⁷.
  private let scaled: Int64
  /// Decimals that are written, 0…9.
  private let decimals: Int

  /// `value` with at most `decimals` (0…9) decimals, trailing zeros dropped down to `minimum`; `nil` where it is no
  /// finite number within `bound`.
  package init?(_ value: Double, decimals: Int, minimum: Int? = nil) {
    guard (0...9).contains(decimals), value.isFinite, value.magnitude <= Self.bound else { return nil }
    let product = (value.magnitude * Double(Self.power(decimals))).rounded(.toNearestOrAwayFromZero)
    var scaled = Int64(product)
    // "-0.00" is not a number that anyone measured.
    isNegative = value < 0 && scaled != 0
    var shown = decimals
    while shown > max(minimum ?? decimals, 0), scaled % 10 == 0 {
      scaled /= 10
      shown -= 1
    }
    self.scaled = scaled
    self.decimals = shown
  }

  /// A whole number.
  package init(_ value: Int) {
    isNegative = value < 0
    scaled = Int64(clamping: value.magnitude)
    decimals = 0
  }

  /// A direction of 0…<360°: what rounds up to 360 is 0.
  package init?(direction degrees: Double, decimals: Int) {
    guard let number = FixedDecimal(degrees, decimals: decimals) else { return nil }
    self =
      !number.isNegative && number.scaled / Self.power(number.decimals) == 360
      ? FixedDecimal(zeroWith: number.decimals) : number
  }

  private init(zeroWith decimals: Int) {
    isNegative = false
    scaled = 0
    self.decimals = decimals
  }

  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the digits at the end of `bytes`.
  package func append(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    let scale = Self.power(decimals)
    Self.append(scaled / scale, width: 1, to: &bytes)
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    Self.append(scaled % scale, width: decimals, to: &bytes)
  }

  /// Writes `value` (≥ 0) with leading zeros up to `width` digits.
  package static func append(_ value: Int64, width: Int, to bytes: inout [UInt8]) {
    var digits = 1
    var rest = value / 10
    while rest > 0 || digits < min(width, 19) {
      rest /= 10
      digits += 1
    }
    for _ in 0..<digits { bytes.append(UInt8(ascii: "0")) }
    // From the last digit on: a division by a constant is a multiplication.
    rest = value
    var place = bytes.count - 1
    while rest > 0 {
      bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    }
  }

  private static func power(_ decimals: Int) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<decimals { power *= 10 }
    return power
  }

  // MARK: As text

  /// `value` as `init(_:decimals:minimum:)` takes it.
  package static func text(_ value: Double, decimals: Int, minimum: Int? = nil) -> String? {
    FixedDecimal(value, decimals: decimals, minimum: minimum)?.text
  }

  /// `value` (≥ 0) with leading zeros up to `width` digits.
  package static func padded(_ value: Int64, to width: Int) -> String {
    var bytes: [UInt8] = []
    append(value, width: width, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `degrees` as `init(direction:decimals:)` takes it.
  package static func direction(_ degrees: Double, decimals: Int) -> String? {
    FixedDecimal(direction: degrees, decimals: decimals)?.text
  }
}

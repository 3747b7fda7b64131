/// A number with a fixed number of decimals, rounded half away from zero, written identically on every machine and in every locale.
package struct FixedDecimal: Hashable, Sendable {
  /// Larger numbers make no sense in a position. This one fits into an `Int64` when scaled by 10⁹.
  package static let bound = 9e8

  private let isNegative: Bool
  /// The magnitude in units of the last decimal: at most 9·10¹⁷, except for whole numbers from an `Int`.
  private let scaled: Int64
  /// The number of decimals written, 0…9.
  private let decimals: Int

  /// `value` with at most `decimals` (0…9) decimals. Trailing zeros are dropped down to `minimum` decimals, or not at
  /// all without a `minimum`. `nil` unless `value` is a finite number within `bound`.
  package init?(_ value: Double, decimals: Int, minimum: Int? = nil) {
    guard (0...9).contains(decimals), value.isFinite, value.magnitude <= Self.bound else { return nil }
    let product = (value.magnitude * Double(Self.power(decimals))).rounded(.toNearestOrAwayFromZero)
    var scaled = Int64(product)
    // "-0.00" is not a measured value.
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

  /// A direction of 0…<360°: a value that rounds up to 360 becomes 0.
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

  /// Appends the digits to `bytes`.
  package func append(to bytes: inout [UInt8]) { Self.append(to: &bytes) { write(to: &$0) } }

  /// Writes the digits, at most 21 bytes.
  package func write(to text: inout TextCursor) {
    if isNegative { text.write(UInt8(ascii: "-")) }
    text.write(scaled, decimals: decimals)
  }

  /// Writes `value` (≥ 0) with leading zeros up to `width` (≤ 19) digits.
  package static func append(_ value: Int64, width: Int, to bytes: inout [UInt8]) {
    append(to: &bytes) { $0.write(value, width: min(width, 19)) }
  }

  /// A sign, 19 digits and a point.
  private static let longestText = 21
  /// An array is appended in one piece.
  private static let room = [UInt8](repeating: 0, count: longestText)

  private static func append(to bytes: inout [UInt8], _ write: (inout TextCursor) -> Void) {
    let start = bytes.count
    bytes.append(contentsOf: room)
    var text = TextCursor(bytes.mutableSpan, at: start)
    write(&text)
    let end = text.position
    bytes.removeLast(start + longestText - end)
  }

  private static func power(_ decimals: Int) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<decimals { power *= 10 }
    return power
  }

  // MARK: As text

  /// `value` formatted as by `init(_:decimals:minimum:)`.
  package static func text(_ value: Double, decimals: Int, minimum: Int? = nil) -> String? {
    FixedDecimal(value, decimals: decimals, minimum: minimum)?.text
  }

  /// `value` (≥ 0) with leading zeros up to `width` digits.
  package static func padded(_ value: Int64, to width: Int) -> String {
    var bytes: [UInt8] = []
    append(value, width: width, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `degrees` formatted as by `init(direction:decimals:)`.
  package static func direction(_ degrees: Double, decimals: Int) -> String? {
    FixedDecimal(direction: degrees, decimals: decimals)?.text
  }
}

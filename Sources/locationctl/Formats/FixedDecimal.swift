/// Writes a number with a fixed count of decimals, rounded half away from zero, the same on every machine and in every
/// locale.
package enum FixedDecimal {
  /// Beyond this a position's number is nonsense, and scaled by 10⁹ it would not fit.
  package static let bound = 9e8

  /// `value` with at most `decimals` (0…9) decimals, trailing zeros dropped down to `minimum`; `nil` where it is no
  /// finite number within `bound`.
  package static func text(_ value: Double, decimals: Int, minimum: Int? = nil) -> String? {
    guard (0...9).contains(decimals), value.isFinite, value.magnitude <= bound else { return nil }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((value.magnitude * Double(scale)).rounded(.toNearestOrAwayFromZero))
    // "-0.00" is not a number that anyone measured.
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    var fraction = padded(scaled % scale, to: decimals)
    let shortest = min(minimum ?? decimals, decimals)
    while fraction.utf8.count > shortest, fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(sign)\(scaled / scale)" : "\(sign)\(scaled / scale).\(fraction)"
  }

  /// `value` (≥ 0) with leading zeros up to `width` digits.
  package static func padded(_ value: Int64, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// A direction of 0…<360°: what rounds up to 360 is 0.
  package static func direction(_ degrees: Double, decimals: Int) -> String? {
    guard let text = text(degrees, decimals: decimals), text.hasPrefix("360") else {
      return Self.text(degrees, decimals: decimals)
    }
    return Self.text(0, decimals: decimals)
  }
}

/// The numbers in notations of coordinates.
enum NotationDigits {
  /// `value` (≥ 0) in units of the last of `decimals` (0…9), rounded to the nearest; a tie is decided by the exact binary value.
  static func rounded(_ value: Double, decimals: Int) -> Int64 {
    let scale = power(decimals)
    let product = value * scale
    let nearest = product.rounded(.toNearestOrEven)
    // The product may be rounded to a tie that the exact value misses.
    let error = (-product).addingProduct(value, scale)
    guard (product - nearest).magnitude == 0.5, error != 0 else { return Int64(nearest) }
    return Int64(error > 0 ? product.rounded(.up) : product.rounded(.down))
  }

  /// The index of the cell of size 1 that contains `value`. A value less than half a millionth of a cell below a border
  /// counts as on the border, because most decimal degrees have no exact binary value.
  static func cell(_ value: Double) -> Int64 {
    Int64(((value * 1e6).rounded(.toNearestOrEven) / 1e6).rounded(.down))
  }

  /// `number` (≥ 0) with leading zeros up to `width` digits.
  static func padded(_ number: Int64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// `scaled` (≥ 0), which is in units of the last of `decimals`, with `width` digits before the point.
  static func fixed(_ scaled: Int64, decimals: Int, width: Int = 1) -> String {
    let digits = padded(scaled, to: width + decimals)
    guard decimals > 0 else { return digits }
    return "\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
  }

  /// 10 to the power of `decimals`.
  static func power(_ decimals: Int) -> Double {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    return power
  }

  /// A number of at most 20 characters, digits and at most one point, without sign and exponent; `nil` for anything else.
  static func number(_ text: some StringProtocol) -> Double? {
    let bytes = text.utf8
    guard (1...20).contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      bytes.contains(where: { $0 != 0x2E }), bytes.count(where: { $0 == 0x2E }) <= 1
    else { return nil }
    // The zeros make sure that there is a digit before and after the point.
    return Double("0\(text)") ?? Double("0\(text)0")
  }
}

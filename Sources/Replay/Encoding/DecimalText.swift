/// Numbers as ASCII with a fixed number of decimals, without Foundation.
enum DecimalText {
  /// `value` rounded to `decimals`, its whole part filled with zeros to `width` digits; empty where there is no such
  /// number.
  static func fixed(_ value: Double, decimals: Int, width: Int = 1) -> [UInt8] {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    guard let scaled = Int64(exactly: (value * scale).rounded()) else { return [] }
    return fixed(scaled: scaled, decimals: decimals, width: width)
  }

  /// `scaled` × 10^−`decimals`.
  static func fixed(scaled: Int64, decimals: Int, width: Int = 1) -> [UInt8] {
    var digits = Array(String(scaled.magnitude).utf8)
    let shortBy = decimals + width - digits.count
    if shortBy > 0 { digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: shortBy), at: 0) }
    if decimals > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - decimals) }
    return scaled < 0 ? [UInt8(ascii: "-")] + digits : digits
  }
}

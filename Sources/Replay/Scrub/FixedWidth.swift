/// Numbers written into the width that another number had.
enum FixedWidth {
  /// `value` in exactly `width` characters, with `decimals` where there is room and as many as there is room for where not;
  /// padded with zeros. One that has no room at all becomes all nines.
  static func text(_ value: Double, width: Int, decimals: Int) -> [UInt8] {
    guard width > 0 else { return [] }
    if decimals > 9 {
      // More decimals than anything has are zeros.
      let text = text(value, width: width - (decimals - 9), decimals: 9)
      if text.contains(UInt8(ascii: ".")) { return text + zeros(decimals - 9) }
    }
    for decimals in stride(from: min(decimals, 9), through: 0, by: -1) {
      let scaled = (value.magnitude * PowerOfTen[decimals]).rounded()
      guard scaled < 1e17 else { continue }
      var digits = Array(String(Int64(scaled)).utf8)
      if digits.count <= decimals { digits = zeros(decimals + 1 - digits.count) + digits }
      if decimals > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - decimals) }
      let sign: [UInt8] = value < 0 && scaled > 0 ? [UInt8(ascii: "-")] : []
      let missing = width - digits.count - sign.count
      guard missing >= 0 else { continue }
      return sign + zeros(missing) + digits
    }
    return [UInt8](repeating: UInt8(ascii: "9"), count: width)
  }

  /// A course, which is never 360.
  static func course(_ degrees: Double, width: Int, decimals: Int) -> [UInt8] {
    let text = text(degrees, width: width, decimals: decimals)
    guard Double(String(decoding: text, as: UTF8.self)) == 360 else { return text }
    return self.text(0, width: width, decimals: decimals)
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "0"), count: count) }

  private enum PowerOfTen {
    static subscript(exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }
  }
}

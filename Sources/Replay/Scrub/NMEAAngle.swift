/// Latitudes and longitudes as sentences write them: (d)ddmm.mmmm.
enum NMEAAngle {
  /// The degrees that `text` tells; `nil` where it is no such number.
  static func read(_ text: ArraySlice<UInt8>) -> Double? {
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    guard (3...6).contains(whole.count), text.count <= 24,
      let degrees = Double(String(decoding: whole.dropLast(2), as: UTF8.self)),
      let minutes = Double(String(decoding: text[(whole.endIndex - 2)...], as: UTF8.self)),
      degrees >= 0, (0..<60).contains(minutes)
    else { return nil }
    return degrees + minutes / 60
  }

  /// The step of angles with so many decimals of a minute, degrees.
  static func step(decimals: Int) -> Double { (0..<min(decimals, 9)).reduce(1.0 / 60) { step, _ in step / 10 } }

  /// `degrees`, which are not negative, in `width` characters with `decimals` of a minute.
  static func text(_ degrees: Double, degreeDigits: Int, width: Int, decimals: Int) -> [UInt8] {
    // More than a double holds of 180° are zeros.
    let kept = min(decimals, 9)
    let minute = (0..<kept).reduce(Int64(1)) { value, _ in value * 10 }
    let total = Int64((degrees * 60 * Double(minute)).rounded())
    let (whole, rest) = total.quotientAndRemainder(dividingBy: 60 * minute)
    var text = padded(whole, to: degreeDigits) + padded(rest / minute, to: 2)
    if text.count < width { text.append(UInt8(ascii: ".")) }
    if kept > 0 { text += padded(rest % minute, to: kept) }
    while text.count < width { text.append(UInt8(ascii: "0")) }
    return text
  }

  private static func padded(_ value: Int64, to width: Int) -> [UInt8] {
    let digits = Array(String(value).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, width - digits.count)) + digits
  }
}

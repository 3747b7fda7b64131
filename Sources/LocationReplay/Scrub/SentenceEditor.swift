import Geodesy

/// A sentence whose fields are changed in place, each keeping its width.
struct SentenceEditor {
  private(set) var bytes: [UInt8]
  /// The range of the address, after `$`.
  let address: Range<Int>
  /// The ranges of the fields after the address.
  private let fields: [Range<Int>]
  private let star: Int

  /// `frame`: from `$` to the two digits of a checksum.
  init(_ frame: [UInt8]) {
    bytes = frame
    let star = frame.count - 3
    self.star = star
    var starts = [1]
    // If a comma follows the five bytes after `$`, these are the address, whatever they contain, as in the decoder.
    let first = star > 6 && frame[6] == UInt8(ascii: ",") ? 6 : 1
    for place in first..<star where frame[place] == UInt8(ascii: ",") { starts.append(place + 1) }
    let ranges = starts.indices.map { index in
      starts[index]..<(index + 1 < starts.count ? starts[index + 1] - 1 : star)
    }
    address = ranges[0]
    fields = Array(ranges.dropFirst())
  }

  /// The number of fields after the address.
  var count: Int { fields.count }

  func text(_ field: Int) -> ArraySlice<UInt8> { field < fields.count ? bytes[fields[field]] : [] }

  func letter(_ field: Int) -> UInt8? {
    let text = text(field)
    return text.count == 1 ? text.first : nil
  }

  /// The whole number in a field.
  func integer(_ field: Int) -> Int? {
    let text = text(field)
    guard (1...9).contains(text.count) else { return nil }
    var value = 0
    for digit in text {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  /// The decimal number in a field.
  func number(_ field: Int) -> Double? {
    let text = text(field)
    guard !text.isEmpty,
      text.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B })
    else { return nil }
    return Double(String(decoding: text, as: UTF8.self))
  }

  /// The number of digits after the point.
  func decimals(_ field: Int) -> Int {
    let text = text(field)
    return text.firstIndex(of: UInt8(ascii: ".")).map { text.endIndex - $0 - 1 } ?? 0
  }

  mutating func put(_ text: [UInt8], _ field: Int) {
    guard field < fields.count, text.count == fields[field].count else { return }
    bytes.replaceSubrange(fields[field], with: text)
  }

  mutating func put(_ value: Double, _ field: Int) {
    put(FixedWidth.text(value, width: text(field).count, decimals: decimals(field)), field)
  }

  mutating func putCourse(_ degrees: Double, _ field: Int) {
    put(FixedWidth.course(degrees, width: text(field).count, decimals: decimals(field)), field)
  }

  /// Replaces a field that holds one letter; blanks anything longer.
  mutating func put(letter: UInt8, _ field: Int) {
    if text(field).count == 1 { put([letter], field) } else { blank(field) }
  }

  /// Blanks those fields of `kept` that are not a number of at most `longest` characters.
  mutating func keepNumbers(_ kept: Range<Int>, longest: Int = 8) {
    for field in kept where number(field) == nil || text(field).count > longest { blank(field) }
  }

  /// Writes zeros for digits and signs, `X` for everything else except the point.
  mutating func blank(_ field: Int) {
    guard field < fields.count else { return }
    for place in fields[field] { bytes[place] = Blank.numeric(bytes[place]) }
  }

  mutating func blankText(_ field: Int) {
    for place in fields[field] { bytes[place] = Blank.text(bytes[place]) }
  }

  /// Blanks all fields; `marking`: so that no field can be read as its original kind.
  mutating func blankAll(marking: Bool = false) {
    for range in fields {
      for place in range { bytes[place] = Blank.text(bytes[place], marking: marking) }
    }
  }

  /// The sentence with its new checksum, in the original letter case.
  mutating func finished() -> [UInt8] {
    var sum: UInt8 = 0
    for place in 1..<star { sum ^= bytes[place] }
    let isLower = bytes[(star + 1)...].contains { (0x61...0x66).contains($0) }
    for (place, digit) in [(star + 1, sum >> 4), (star + 2, sum & 15)] {
      bytes[place] = digit < 10 ? 0x30 + digit : (isLower ? 0x57 : 0x37) + digit
    }
    return bytes
  }
}

/// Numbers written in the width of the number that they replace.
enum FixedWidth {
  /// `value` in exactly `width` characters, with `decimals` if there is room and otherwise as many as fit; padded with zeros. A
  /// number that does not fit at all becomes all nines.
  static func text(_ value: Double, width: Int, decimals: Int) -> [UInt8] {
    guard width > 0 else { return [] }
    if decimals > 9 {
      // Decimals beyond any real precision are zeros.
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

  /// A course, which is never written as 360.
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

/// Latitudes and longitudes as in sentences: (d)ddmm.mmmm.
enum NMEAAngle {
  /// The degrees in `text`; `nil` if it is not such a number.
  static func read(_ text: ArraySlice<UInt8>) -> Double? {
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    guard (3...6).contains(whole.count), text.count <= 24,
      let degrees = Double(String(decoding: whole.dropLast(2), as: UTF8.self)),
      let minutes = Double(String(decoding: text[(whole.endIndex - 2)...], as: UTF8.self)),
      degrees >= 0, (0..<60).contains(minutes)
    else { return nil }
    return degrees + minutes / 60
  }

  /// The resolution of angles with this many decimals of a minute, degrees.
  static func step(decimals: Int) -> Double { (0..<min(decimals, 9)).reduce(1.0 / 60) { step, _ in step / 10 } }

  /// `degrees`, which must not be negative, in `width` characters with `decimals` of a minute.
  static func text(_ degrees: Double, degreeDigits: Int, width: Int, decimals: Int) -> [UInt8] {
    // Digits beyond the precision of a `Double` at 180° are zeros.
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

import Geodesy

/// A sentence whose fields are changed in place, each keeping its width.
struct SentenceEditor {
  private(set) var bytes: [UInt8]
  /// Where the address is, behind `$`.
  let address: Range<Int>
  /// Where the fields behind the address are.
  private let fields: [Range<Int>]
  private let star: Int

  /// `frame`: from `$` to the two digits of a checksum.
  init(_ frame: [UInt8]) {
    bytes = frame
    let star = frame.count - 3
    self.star = star
    var starts = [1]
    // An address of five is whatever stands in front of the sixth byte, if that is a comma, as for the decoder.
    let first = star > 6 && frame[6] == UInt8(ascii: ",") ? 6 : 1
    for place in first..<star where frame[place] == UInt8(ascii: ",") { starts.append(place + 1) }
    let ranges = starts.indices.map { index in
      starts[index]..<(index + 1 < starts.count ? starts[index + 1] - 1 : star)
    }
    address = ranges[0]
    fields = Array(ranges.dropFirst())
  }

  /// Fields behind the address.
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

  /// Digits behind the point.
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

  /// Puts a letter where there is one; anything longer goes.
  mutating func put(letter: UInt8, _ field: Int) {
    if text(field).count == 1 { put([letter], field) } else { blank(field) }
  }

  /// Blanks those of `kept` that are no number of at most so many characters.
  mutating func keepNumbers(_ kept: Range<Int>, longest: Int = 8) {
    for field in kept where number(field) == nil || text(field).count > longest { blank(field) }
  }

  /// Zeros for digits and signs, `X` for all else but the point.
  mutating func blank(_ field: Int) {
    guard field < fields.count else { return }
    for place in fields[field] { bytes[place] = Blank.numeric(bytes[place]) }
  }

  mutating func blankText(_ field: Int) {
    for place in fields[field] { bytes[place] = Blank.text(bytes[place]) }
  }

  /// Blanks all fields; `marking`: so that none can be read as what it was.
  mutating func blankAll(marking: Bool = false) {
    for range in fields {
      for place in range { bytes[place] = Blank.text(bytes[place], marking: marking) }
    }
  }

  /// The sentence with the checksum that it has now, in the case that it was written in.
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

/// An Open Location Code, or plus code (github.com/google/open-location-code, "Open Location Code Specification"): `9F469VFR+6V`.
///
/// Pairs of digits of base 20 for latitude and longitude, then single digits that divide a cell into 5 rows and 4 columns. Digits are
/// truncated, so that a shorter code contains the longer one. As a position, a code stands for the center of its cell.
package enum PlusCode {
  private static let alphabet = Array("23456789CFGHJMPQRVWX".utf8)
  private static let separator = UInt8(ascii: "+")
  private static let padding = UInt8(ascii: "0")
  /// Digits before the separator.
  private static let separatorPosition = 8
  /// Digits in pairs.
  private static let pairedDigits = 10
  /// Cells of a code of 15 digits per degree: 20³ × 5⁵ of latitude and 20³ × 4⁵ of longitude.
  private static let rowsPerDegree: Int64 = 8000 * 3125
  private static let columnsPerDegree: Int64 = 8000 * 1024

  /// Possible numbers of digits. At the equator, 10 digits name a cell of 14 m by 14 m, 11 one of 2.8 m by 3.5 m, 12 one
  /// of 0.6 m by 0.9 m.
  package static let possibleDigits = [2, 4, 6, 8, 10, 11, 12, 13, 14, 15]

  /// The code of a position; `nil` if it is invalid. The north pole belongs to the northernmost cell, and the meridian of 180° to
  /// the westernmost one.
  package static func text(_ place: Coordinate, digits: Int = pairedDigits) -> String? {
    let (latitude, longitude) = (place.latitude.degrees, place.longitude.degrees)
    guard Coordinate(checkingLatitude: latitude, longitude: longitude) != nil, possibleDigits.contains(digits) else {
      return nil
    }
    var north = NotationDigits.cell((latitude + 90) * Double(rowsPerDegree))
    var east = NotationDigits.cell((longitude + 180) * Double(columnsPerDegree)) % (360 * columnsPerDegree)
    if north >= 180 * rowsPerDegree { north = 180 * rowsPerDegree - 1 }
    var reversed: [UInt8] = []
    for _ in pairedDigits..<15 {
      reversed.append(alphabet[Int(north % 5 * 4 + east % 4)])
      north /= 5
      east /= 4
    }
    for _ in 0..<pairedDigits / 2 {
      reversed += [alphabet[Int(east % 20)], alphabet[Int(north % 20)]]
      north /= 20
      east /= 20
    }
    var code = Array(reversed.reversed().prefix(digits))
    if code.count < separatorPosition {
      code += repeatElement(padding, count: separatorPosition - code.count)
    }
    code.insert(separator, at: separatorPosition)
    return String(decoding: code, as: UTF8.self)
  }

  /// The center of the cell that a full code names; `nil` if the text is not one. A short code, such as `9VFR+6V`, names a position
  /// only together with a place near it.
  package static func coordinate(parsing text: String) -> Coordinate? {
    let bytes = text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    guard bytes.count > separatorPosition, bytes[separatorPosition] == separator else { return nil }
    let after = bytes[(separatorPosition + 1)...]
    let before = bytes[..<separatorPosition]
    // Padding fills up the eight digits, and ends the code.
    let significant = before.prefix { $0 != padding }
    guard !significant.isEmpty, significant.count.isMultiple(of: 2),
      before[significant.endIndex...].allSatisfy({ $0 == padding }),
      significant.count == separatorPosition ? after.count != 1 : after.isEmpty
    else { return nil }
    let symbols = significant + after
    let digits = symbols.compactMap { alphabet.firstIndex(of: $0).map { Int64($0) } }
    // With greater first digits the cell would lie beyond the pole or the date line.
    guard digits.count == symbols.count, digits[0] < 9, digits[1] < 18 else { return nil }
    return center(of: digits.prefix(15))
  }

  private static func center(of digits: ArraySlice<Int64>) -> Coordinate? {
    var (north, east): (Int64, Int64) = (0, 0)
    var (height, width) = (400 * rowsPerDegree, 400 * columnsPerDegree)
    for (index, digit) in digits.enumerated() {
      if index >= pairedDigits {
        height /= 5
        width /= 4
        north += digit / 4 * height
        east += digit % 4 * width
      } else if index.isMultiple(of: 2) {
        height /= 20
        north += digit * height
      } else {
        width /= 20
        east += digit * width
      }
    }
    return Coordinate(
      checkingLatitude: (Double(north) + Double(height) / 2) / Double(rowsPerDegree) - 90,
      longitude: (Double(east) + Double(width) / 2) / Double(columnsPerDegree) - 180)
  }
}

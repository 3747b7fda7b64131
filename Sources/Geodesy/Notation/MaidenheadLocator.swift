/// The locator of amateur radio (IARU Region 1 VHF Managers Handbook, "Locator system"; adopted at Maidenhead in 1980): `JO22kj`.
///
/// Pairs of longitude and latitude that name smaller and smaller fields: letters A to R (20° by 10°), digits (2° by 1°), letters a
/// to x (5′ by 2.5′), digits (30″ by 15″), letters (1.25″ by 0.625″). Digits are truncated, so that a shorter locator contains the longer
/// one. As a position, a locator stands for the center of its field.
package enum MaidenheadLocator {
  /// The number of values of each pair.
  private static let radices: [Int64] = [18, 10, 24, 10, 24]
  /// The number of cells of the last pair per degree of latitude: a degree is one cell of the second pair, which has 24
  /// × 10 × 24 parts.
  private static let cellsPerDegree = 24.0 * 10 * 24
  private static let cells = radices.reduce(1, *)

  /// The possible numbers of characters.
  package static let possibleCharacters = [2, 4, 6, 8, 10]

  /// The locator of a position; `nil` if it is invalid. The north pole belongs to the northernmost field, and the meridian of 180°
  /// to the westernmost one.
  package static func text(_ place: Coordinate, characters: Int = 6) -> String? {
    let (latitude, longitude) = (place.latitude.degrees, place.longitude.degrees)
    guard Coordinate(checkingLatitude: latitude, longitude: longitude) != nil, possibleCharacters.contains(characters)
    else { return nil }
    var north = min(NotationDigits.cell((latitude + 90) * cellsPerDegree), cells - 1)
    var east = NotationDigits.cell((longitude + 180) / 2 * cellsPerDegree) % cells
    var letters: [UInt8] = []
    for pair in radices.indices.reversed() {
      if pair < characters / 2 { letters += [symbol(north % radices[pair], pair), symbol(east % radices[pair], pair)] }
      north /= radices[pair]
      east /= radices[pair]
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }

  /// The center of the field that a locator of 4 to 10 characters names; `nil` if the text is not one. Two letters alone are
  /// more likely a name.
  package static func coordinate(parsing text: String) -> Coordinate? {
    let bytes = Array(text.utf8)
    guard possibleCharacters.dropFirst().contains(bytes.count) else { return nil }
    var (east, north, size) = (0.0, 0.0, 1.0)
    for pair in 0..<bytes.count / 2 {
      guard let first = value(bytes[2 * pair], pair), let second = value(bytes[2 * pair + 1], pair) else { return nil }
      size /= Double(radices[pair])
      east += Double(first) * size
      north += Double(second) * size
    }
    return Coordinate(
      checkingLatitude: (north + size / 2) * 180 - 90, longitude: (east + size / 2) * 360 - 180)
  }

  private static func symbol(_ value: Int64, _ pair: Int) -> UInt8 {
    // Subsquares are usually written in lowercase.
    UInt8(value) + (pair.isMultiple(of: 2) ? UInt8(ascii: pair == 2 ? "a" : "A") : UInt8(ascii: "0"))
  }

  private static func value(_ symbol: UInt8, _ pair: Int) -> Int64? {
    let isDigit = (0x30...0x39).contains(symbol)
    guard !pair.isMultiple(of: 2) else {
      let letter = symbol & 0xDF
      guard !isDigit, letter >= UInt8(ascii: "A") else { return nil }
      let value = Int64(letter - UInt8(ascii: "A"))
      return value < radices[pair] ? value : nil
    }
    return isDigit ? Int64(symbol - 0x30) : nil
  }
}

/// A reference of the Military Grid Reference System (NGA.SIG.0012, section 11; NGA.STND.0037): `31UFU2881104221`.
///
/// It names a square of 100 km, and in it a smaller square by the first digits of the coordinates of the smaller square's
/// southwestern corner: digits are truncated and never rounded, so that a shorter reference contains the longer one. As a
/// position, it stands for the center of its square.
package enum GridReference {
  /// The side of a lettered square, meters.
  private static let square = 100_000.0
  /// The column letters: three sets for UTM, chosen by the zone, each beginning at 100 km; then those of UPS for the
  /// areas A, B, Y and Z.
  private static let columns = ["ABCDEFGH", "JKLMNPQR", "STUVWXYZ"].map { Array($0.utf8) }
  private static let polarColumns = ["JKLPQRSTUXYZ", "ABCFGHJKLPQR", "RSTUXYZ", "ABCFGHJ"].map { Array($0.utf8) }
  /// The row letters: in UTM they repeat every 2000 km; in even zones the row at the equator has the letter F.
  private static let rows = Array("ABCDEFGHJKLMNPQRSTUV".utf8)
  private static let polarRows = ["ABCDEFGHJKLMNPQRSTUVWXYZ", "ABCDEFGHJKLMNP"].map { Array($0.utf8) }
  private static let polarAreas = Array("ABYZ".utf8)
  /// The numbers, in units of 100 km, of the first UPS row and column in the south and in the north, and of the first
  /// column east of the pole.
  private static let polarFirst = [8, 13]
  private static let polarMiddle = 20

  /// The most digits per axis: five digits resolve one meter.
  package static let mostDigits = 5

  // MARK: From a position

  /// The reference of a position with `digits` (0…5) per axis; `nil` if the position is invalid.
  package static func text(_ place: Coordinate, digits: Int = mostDigits) -> String? {
    guard let grid = GridCoordinate(place), (0...mostDigits).contains(digits) else { return nil }
    // A position nanometers south of the equator must not end up in the square north of it.
    let northing = grid.zone != nil && !grid.isNorth ? min(grid.northing, 9_999_999.999_999) : grid.northing
    let column = Int((grid.easting / square).rounded(.down))
    let row = Int((northing / square).rounded(.down))
    guard let letters = letters(place, grid, column: column, row: row) else { return nil }
    let size = NotationDigits.power(mostDigits - digits)
    let numbers = [grid.easting - Double(column) * square, northing - Double(row) * square].map { meters in
      digits == 0 ? "" : NotationDigits.padded(Int64((meters / size).rounded(.down)), to: digits)
    }
    return letters + numbers.joined()
  }

  private static func letters(_ place: Coordinate, _ grid: GridCoordinate, column: Int, row: Int) -> String? {
    let letters: [UInt8]
    let zoneText: String
    if let zone = grid.zone {
      let set = columns[(zone - 1) % 3]
      guard set.indices.contains(column - 1), row >= 0 else { return nil }
      letters = [
        GridZone.letter(of: place), set[column - 1], rows[(row + (zone.isMultiple(of: 2) ? 5 : 0)) % rows.count],
      ]
      zoneText = NotationDigits.padded(Int64(zone), to: 2)
    } else {
      let hemisphere = grid.isNorth ? 1 : 0
      let isEastern = column >= polarMiddle
      let area = 2 * hemisphere + (isEastern ? 1 : 0)
      let first = column - (isEastern ? polarMiddle : polarFirst[hemisphere])
      let second = row - polarFirst[hemisphere]
      guard polarColumns[area].indices.contains(first), polarRows[hemisphere].indices.contains(second) else {
        return nil
      }
      letters = [polarAreas[area], polarColumns[area][first], polarRows[hemisphere][second]]
      zoneText = ""
    }
    return zoneText + String(decoding: letters, as: UTF8.self)
  }

  // MARK: To a position

  /// The center of the square that a reference names, with or without spaces; `nil` if the text is not a reference, or if its
  /// lettered square does not exist.
  package static func coordinate(parsing text: String) -> Coordinate? {
    var bytes = text.utf8.filter { $0 != UInt8(ascii: " ") }.map { isLower($0) ? $0 - 0x20 : $0 }[...]
    let zoneDigits = bytes.prefix(while: isDigit)
    bytes = bytes.dropFirst(zoneDigits.count)
    let letters = Array(bytes.prefix(3))
    let digits = Array(bytes.dropFirst(3))
    guard zoneDigits.count <= 2, letters.count == 3, digits.allSatisfy(isDigit), digits.count.isMultiple(of: 2),
      digits.count <= 2 * mostDigits
    else { return nil }
    let half = digits.count / 2
    let size = NotationDigits.power(mostDigits - half)
    let east = (number(digits[..<half]) + 0.5) * size
    let north = (number(digits[half...]) + 0.5) * size
    if zoneDigits.isEmpty { return polarCoordinate(letters, east, north) }
    return utmCoordinate(zone: Int(number(zoneDigits)), letters, east, north)
  }

  private static func utmCoordinate(zone: Int, _ letters: [UInt8], _ east: Double, _ north: Double) -> Coordinate? {
    guard (1...60).contains(zone), let bandIndex = GridZone.bandLetters.firstIndex(of: letters[0]),
      let column = columns[(zone - 1) % 3].firstIndex(of: letters[1]), let rowIndex = rows.firstIndex(of: letters[2])
    else { return nil }
    let latitudes = GridZone.latitudes(ofBand: bandIndex - 10)
    let isNorth = bandIndex >= 10
    // The row that is nearest to the middle of the band, on a meridian of 10,000 km, counted from the equator.
    let middle = (latitudes.lowerBound + latitudes.upperBound) / 2 * 100 / 90
    let periodic = rowIndex - (zone.isMultiple(of: 2) ? 5 : 0)
    let turns = ((middle - Double(periodic)) / Double(rows.count)).rounded()
    let row = Double(periodic) + turns * Double(rows.count)
    func position(_ x: Double, _ y: Double) -> Coordinate? {
      GridCoordinate(
        zone: zone, isNorth: isNorth, easting: Double(column + 1) * square + x,
        northing: row * square + y + (isNorth ? 0 : GridCoordinate.falseNorthingOfSouth))?.coordinate
    }
    // The square has to reach into the band; the northernmost and southernmost points of a square are corners.
    let corners = [(0, 0), (square, 0), (0, square), (square, square)].compactMap {
      position($0.0, $0.1)?.latitude.degrees
    }
    guard let least = corners.min(), let most = corners.max(), least < latitudes.upperBound,
      most > latitudes.lowerBound
    else { return nil }
    return position(east, north)
  }

  private static func polarCoordinate(_ letters: [UInt8], _ east: Double, _ north: Double) -> Coordinate? {
    guard let area = polarAreas.firstIndex(of: letters[0]), let column = polarColumns[area].firstIndex(of: letters[1]),
      let row = polarRows[area / 2].firstIndex(of: letters[2])
    else { return nil }
    let first = area.isMultiple(of: 2) ? polarFirst[area / 2] : polarMiddle
    return GridCoordinate(
      zone: nil, isNorth: area >= 2, easting: Double(column + first) * square + east,
      northing: Double(row + polarFirst[area / 2]) * square + north)?.coordinate
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  private static func number(_ digits: some Sequence<UInt8>) -> Double {
    digits.reduce(0) { $0 * 10 + Double($1 - 0x30) }
  }
}

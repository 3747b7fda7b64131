/// A coordinate in the UTM grid, or near the poles in the UPS grid (NGA.SIG.0012, sections 7 and 10): `31U 628812 5804222`,
/// `Z 2105468 1894532`.
///
/// As text, the zone is followed by the latitude band, as on maps and receivers; UPS has only a letter, A or B in the south and Y or Z in
/// the north. Numbers are rounded, as usual for coordinates; a grid reference (`GridReference`) is truncated instead.
package struct GridCoordinate: Hashable, Sendable {
  /// The UTM zone, 1…60; `nil` in the UPS grid.
  package let zone: Int?
  package let isNorth: Bool
  /// Meters, with the false easting of 500 km (UTM) or 2000 km (UPS).
  package let easting: Double
  /// Meters, with the false northing of 10,000 km (UTM in the south) or 2000 km (UPS).
  package let northing: Double

  /// The false easting and northing of UPS, meters.
  static let falseOriginOfPole = 2_000_000.0
  static let falseEasting = 500_000.0
  static let falseNorthingOfSouth = 10_000_000.0

  /// The grid coordinate of a position; `nil` if it is invalid.
  package init?(_ place: Coordinate) {
    guard Coordinate(checkingLatitude: place.latitude.degrees, longitude: place.longitude.degrees) != nil else {
      return nil
    }
    isNorth = place.latitude.degrees >= 0
    switch GridZone(place) {
    case .utm(let zone):
      let longitude = (place.longitude.degrees - GridZone.centralMeridian(zone)).remainder(dividingBy: 360)
      let flat = TransverseMercator.utm.project(latitude: place.latitude, longitude: Angle(degrees: longitude))
      self.zone = zone
      easting = flat.easting + Self.falseEasting
      northing = flat.northing + (isNorth ? 0 : Self.falseNorthingOfSouth)
    case .ups:
      let flat = PolarStereographic.ups(north: isNorth).project(place)
      zone = nil
      easting = flat.x + Self.falseOriginOfPole
      northing = flat.y + Self.falseOriginOfPole
    }
  }

  /// A grid coordinate from its parts; `nil` if the grid does not reach that far.
  package init?(zone: Int?, isNorth: Bool, easting: Double, northing: Double) {
    let isPossible =
      if let zone {
        // The grid of a zone extends into the neighboring zones, and that of a hemisphere beyond the equator.
        (1...60).contains(zone) && (0...1_000_000).contains(easting)
          && (isNorth ? -9_100_000...9_600_000 : 900_000...19_600_000).contains(northing)
      } else {
        // 800 to 3200 km, the extent of MGRS around the south pole.
        (800_000...3_200_000).contains(easting) && (800_000...3_200_000).contains(northing)
      }
    guard isPossible else { return nil }
    (self.zone, self.isNorth, self.easting, self.northing) = (zone, isNorth, easting, northing)
  }

  /// The position.
  package var coordinate: Coordinate {
    guard let zone else {
      return PolarStereographic.ups(north: isNorth)
        .position(x: easting - Self.falseOriginOfPole, y: northing - Self.falseOriginOfPole)
    }
    let place = TransverseMercator.utm.position(
      easting: easting - Self.falseEasting, northing: northing - (isNorth ? 0 : Self.falseNorthingOfSouth))
    let longitude = (place.longitude.degrees + GridZone.centralMeridian(zone)).remainder(dividingBy: 360)
    return Coordinate(latitude: place.latitude, longitude: Angle(degrees: longitude))
  }

  // MARK: As text

  /// The text of a position, rounded to `decimals` (0…3) of a meter; `nil` if it is invalid.
  package static func text(_ place: Coordinate, decimals: Int = 0) -> String? {
    guard let grid = GridCoordinate(place) else { return nil }
    let letter = Character(Unicode.Scalar(GridZone.letter(of: place)))
    let zone = grid.zone.map { NotationDigits.padded(Int64($0), to: 2) } ?? ""
    let numbers = [grid.easting, grid.northing].map { meters in
      // No coordinate is negative, except by rounding; `NotationDigits.rounded` takes no negative number.
      NotationDigits.fixed(NotationDigits.rounded(max(0, meters), decimals: decimals), decimals: decimals)
    }
    return "\(zone)\(letter) \(numbers[0]) \(numbers[1])"
  }

  /// The position that a text names, such as `31U 628812 5804222`, `31 U 628812mE 5804222mN`, `31n 628812 5804222` or
  /// `56 south 334873 6252266`; `nil` if it names none.
  ///
  /// A letter is the latitude band (in UPS, the area), in which the position has to be; only a lowercase `n` or `s`, as in
  /// GeographicLib, or the word `north` or `south` is the hemisphere.
  package static func coordinate(parsing text: String) -> Coordinate? {
    var fields = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" })[...]
    guard (3...4).contains(fields.count), let head = fields.popFirst() else { return nil }
    let zoneDigits = head.prefix { $0.isASCII && $0.isNumber }
    guard zoneDigits.utf8.count <= 2 else { return nil }
    let zone = Int(zoneDigits)
    guard let mark = zoneDigits.endIndex == head.endIndex ? fields.popFirst() : head[zoneDigits.endIndex...],
      fields.count == 2, let easting = meters(fields[fields.startIndex], "E"),
      let northing = meters(fields[fields.startIndex + 1], "N"), let area = Area(mark, isPolar: zone == nil),
      let grid = GridCoordinate(zone: zone, isNorth: area.isNorth, easting: easting, northing: northing)
    else { return nil }
    let place = grid.coordinate
    return area.latitudes.contains(place.latitude.degrees) ? place : nil
  }

  /// The part of the Earth that the letter of a grid coordinate names.
  private struct Area {
    let isNorth: Bool
    let latitudes: ClosedRange<Double>

    /// A position on the border of a band may be on either side of it after rounding to a meter.
    private static let slack = 1e-5

    init?(_ mark: Substring, isPolar: Bool) {
      switch mark {
      case "n", "north", "North": (isNorth, latitudes) = (true, -90...90)
      case "s", "south", "South": (isNorth, latitudes) = (false, -90...90)
      default:
        guard mark.utf8.count == 1, let letter = mark.utf8.first else { return nil }
        if isPolar {
          guard "ABYZ".utf8.contains(letter) else { return nil }
          isNorth = letter > UInt8(ascii: "B")
          latitudes = -90...90
        } else {
          // Some programs write band letters other than N and S in lowercase.
          guard let index = GridZone.bandLetters.firstIndex(of: letter & 0xDF) else { return nil }
          let band = GridZone.latitudes(ofBand: index - 10)
          isNorth = index >= 10
          latitudes = band.lowerBound - Self.slack...band.upperBound + Self.slack
        }
      }
    }
  }

  /// `628812`, `628812.4`, `628812m`, `628812E` or `628812mE`.
  private static func meters(_ field: Substring, _ axis: Character) -> Double? {
    var field = field
    if field.last == axis { field.removeLast() }
    if field.last == "m" { field.removeLast() }
    return NotationDigits.number(field)
  }
}

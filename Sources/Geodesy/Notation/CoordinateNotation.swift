/// The ways to write a position.
package enum CoordinateNotation: String, CaseIterable, Sendable {
  /// Degrees with decimals.
  case decimal
  /// Degrees, minutes and seconds.
  case dms
  /// UTM, and UPS near the poles.
  case utm
  /// Military Grid Reference System.
  case mgrs
  /// The locator of amateur radio.
  case maidenhead
  /// Open Location Code.
  case plusCode

  /// The position in this notation; `nil` if the position is invalid. The text in `decimal` has the form that `geo`
  /// URIs and map searches use.
  ///
  /// - Parameter precision: the number of digits, one of `possiblePrecisions`; `nil` means `usualPrecision`.
  package func text(_ place: Coordinate, precision: Int? = nil) -> String? {
    let precision = precision ?? usualPrecision
    switch self {
    case .decimal: return Self.degrees(place, decimals: precision)
    case .dms: return SexagesimalText.text(place, decimals: precision)
    case .utm: return GridCoordinate.text(place, decimals: precision)
    case .mgrs: return GridReference.text(place, digits: precision)
    case .maidenhead: return MaidenheadLocator.text(place, characters: precision)
    case .plusCode: return PlusCode.text(place, digits: precision)
    }
  }

  /// The precisions of this notation: decimals of degrees, seconds or meters; digits per axis of MGRS; characters of a
  /// locator; digits of a plus code.
  package var possiblePrecisions: [Int] {
    switch self {
    case .decimal: Array(0...9)
    case .dms: Array(SexagesimalText.possibleDecimals)
    case .utm: Array(0...3)
    case .mgrs: Array(0...GridReference.mostDigits)
    case .maidenhead: MaidenheadLocator.possibleCharacters
    case .plusCode: PlusCode.possibleDigits
    }
  }

  /// The usual precision of each notation: 1 cm in decimal degrees, 3 m in seconds, 1 m in UTM and MGRS, 5 km by 9 km
  /// in locators, 14 m in plus codes.
  package var usualPrecision: Int {
    switch self {
    case .decimal: 7
    case .dms: 1
    case .utm: 0
    case .mgrs: 5
    case .maidenhead: 6
    case .plusCode: 10
    }
  }

  private static func degrees(_ place: Coordinate, decimals: Int) -> String? {
    guard Coordinate(checkingLatitude: place.latitude.degrees, longitude: place.longitude.degrees) != nil else {
      return nil
    }
    let numbers = [place.latitude, place.longitude].map { angle in
      let scaled = NotationDigits.rounded(angle.degrees.magnitude, decimals: decimals)
      return (angle.degrees < 0 && scaled != 0 ? "-" : "") + NotationDigits.fixed(scaled, decimals: decimals)
    }
    return numbers.joined(separator: ",")
  }
}

extension Coordinate {
  /// The position that a text names in any notation of `CoordinateNotation`, or as a `geo` URI (RFC 5870); `nil` if it
  /// names none. A reference to a square or a cell stands for its center.
  package init?(parsing text: String) {
    let trimmed = Self.trimmed(text)
    guard !trimmed.isEmpty, trimmed.utf8.count <= SexagesimalReader.maximumBytes else { return nil }
    if trimmed.utf8.count > 4, trimmed.prefix(4).lowercased() == "geo:" {
      guard let found = Self.fromGeoURI(trimmed.dropFirst(4)) else { return nil }
      self = found
      return
    }
    guard
      let found = PlusCode.coordinate(parsing: trimmed) ?? GridReference.coordinate(parsing: trimmed)
        ?? MaidenheadLocator.coordinate(parsing: trimmed) ?? GridCoordinate.coordinate(parsing: trimmed)
        ?? SexagesimalReader.coordinate(parsing: trimmed)
    else { return nil }
    self = found
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }

  /// Reads the latitude and the longitude of a `geo` URI; ignores the height and the parameters, which are optional.
  private static func fromGeoURI(_ text: Substring) -> Coordinate? {
    let numbers = text.prefix { $0 != ";" && $0 != "?" }.split(separator: ",", omittingEmptySubsequences: false)
    guard (2...3).contains(numbers.count) else { return nil }
    return SexagesimalReader.coordinate(parsing: "\(numbers[0]),\(numbers[1])")
  }
}

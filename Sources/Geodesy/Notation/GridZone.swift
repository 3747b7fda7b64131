/// The division of the earth into UTM zones, UPS areas and the latitude bands of MGRS (NGA.SIG.0012, sections 7, 10 and 11).
enum GridZone: Hashable, Sendable {
  /// 1…60, from 180° west to the east.
  case utm(Int)
  /// Around a pole: from 84° north, and south of 80° south.
  case ups

  /// The zone of a coordinate, with the exceptions for Norway (zone 32 from 3° to 12° in band V) and Svalbard (zones 31, 33, 35
  /// and 37 in band X).
  init(_ place: Coordinate) {
    let latitude = place.latitude.degrees
    guard latitude >= -80, latitude < 84 else {
      self = .ups
      return
    }
    let longitude = Self.normalized(place.longitude.degrees)
    let east = Int(longitude.rounded(.down))
    let zone = (east + 186) / 6
    let band = Self.band(latitude)
    if band == 7, zone == 31, east >= 3 {
      self = .utm(32)
    } else if band == 9, (0..<42).contains(east) {
      self = .utm(2 * ((east + 183) / 12) + 1)
    } else {
      self = .utm(zone)
    }
  }

  /// The central meridian of a UTM zone, degrees.
  static func centralMeridian(_ zone: Int) -> Double { Double(6 * zone - 183) }

  /// −180…<180°.
  static func normalized(_ longitude: Double) -> Double { longitude >= 180 ? longitude - 360 : longitude }

  /// The band of a latitude, −10…9: bands of 8°, from −80° on; the northernmost is 12° high.
  static func band(_ latitude: Double) -> Int {
    max(-10, min(9, Int((latitude / 8).rounded(.down))))
  }

  /// The letters of the bands, from −10 on.
  static let bandLetters = Array("CDEFGHJKLMNPQRSTUVWX".utf8)

  /// The letter of a coordinate: its band, or the half of a UPS area (A and B in the south, Y and Z in the north).
  static func letter(of place: Coordinate) -> UInt8 {
    switch GridZone(place) {
    case .utm: bandLetters[band(place.latitude.degrees) + 10]
    case .ups:
      switch (place.latitude.degrees > 0, isEastern(place)) {
      case (false, false): UInt8(ascii: "A")
      case (false, true): UInt8(ascii: "B")
      case (true, false): UInt8(ascii: "Y")
      case (true, true): UInt8(ascii: "Z")
      }
    }
  }

  /// Whether a coordinate of a UPS area is in its eastern half, which includes the meridians of 0° and 180° and the
  /// pole.
  private static func isEastern(_ place: Coordinate) -> Bool {
    place.latitude.degrees.magnitude == 90 || normalized(place.longitude.degrees) >= 0
      || normalized(place.longitude.degrees) == -180
  }

  /// The latitudes of a band, degrees.
  static func latitudes(ofBand band: Int) -> ClosedRange<Double> {
    Double(band * 8)...(band == 9 ? 84 : Double(band * 8 + 8))
  }
}

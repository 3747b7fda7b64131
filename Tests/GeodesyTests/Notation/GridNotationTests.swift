import Geodesy
import Testing

/// UTM, UPS and MGRS: values of the standard, and of places whose grid references are published.
@Suite struct GridNotationTests {
  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  /// The zone exceptions, the borders of bands, the poles and the date line.
  @Test(arguments: [
    (52.373_100_123, 4.892_200_456, "31U 628812 5804222", "31UFU2881104221"),
    (0.0, 0.0, "31N 166021 0", "31NAA6602100000"),
    // Bergen: zone 32 although west of 6°.
    (60.0, 4.0, "32V 221289 6661953", "32VKM2128861953"),
    (55.999_999, 4.0, "31U 562367 6206531", "31UEC6236606530"),
    // Svalbard.
    (78.0, 20.0, "33X 615915 8663320", "33XXG1591463320"),
    (84.0, -180.0, "Z 2000000 2666728", "ZAP0000066727"),
    (-80.0, 10.0, "32C 519385 1118248", "32CNS1938418247"),
    (90.0, 0.0, "Z 2000000 2000000", "ZAH0000000000"),
    (-89.99, 30.0, "B 2000555 2000961", "BAN0055500961"),
    // The equator belongs to the north.
    (-0.000_000_1, 180.0, "01M 166021 10000000", "01MAV6602199999"),
  ]) func positions(latitude: Double, longitude: Double, utm: String, mgrs: String) throws {
    let place = Self.place(latitude, longitude)
    #expect(GridCoordinate.text(place) == utm)
    #expect(GridReference.text(place) == mgrs)
    // Both name the same position within their precision.
    for text in [utm, mgrs] {
      let found = try #require(Coordinate(parsing: text), "\(text)")
      #expect(Geodesic.inverse(from: place, to: found).distance.value < 1, "\(text)")
    }
  }

  /// The White House, by GeographicLib: digits of a reference are truncated, numbers of UTM rounded.
  @Test func shorterReferencesContainLongerOnes() {
    let place = Self.place(38.897_676, -77.036_53)
    let texts = (0...5).map { GridReference.text(place, digits: $0) }
    #expect(texts == ["18SUJ", "18SUJ20", "18SUJ2307", "18SUJ233073", "18SUJ23390739", "18SUJ2339107393"])
    #expect(GridCoordinate.text(place, decimals: 2) == "18S 323391.64 4307393.03")
    #expect(GridCoordinate.text(place) == "18S 323392 4307393")
  }

  @Test(arguments: [
    "31U FU 28811 04221", "31ufu2881104221", " 31UFU2881104221 ", "31U 628811.5 5804221.5", "31n 628811.5 5804221.5",
    "31 U 628811.5 5804221.5", "31 north 628811.5 5804221.5", "31U 628811.5mE 5804221.5mN", "31U,628811.5E,5804221.5N",
  ]) func spellings(text: String) throws {
    let found = try #require(Coordinate(parsing: text))
    #expect(GridReference.text(found) == "31UFU2881104221")
  }

  @Test(arguments: [
    // A zone, a column or a row that does not exist, an odd number of digits, a square that is not in its band.
    "61UFU2881104221", "0UFU2881104221", "31IFU2881104221", "31UZU2881104221", "31UFW2881104221", "31UFU288110422",
    "31UFM11", "31UFU288110422100", "AAA0000000000", "31U", "31U 628812", "31U 1628812 5804222",
    "31W 628812 5804222",
    // Sydney with the letter of its hemisphere, which is the letter of a band in the north.
    "56S 334873 6252266", "A 100 100", "C 2000000 2000000", "31UFU2881104-21", "１UFU2881104221",
  ]) func refuses(text: String) {
    #expect(Coordinate(parsing: text) == nil)
  }

  @Test func invalidPositionsHaveNoText() {
    for place in [Self.place(.nan, 0), Self.place(91, 0), Self.place(0, 181), Self.place(0, .infinity)] {
      for notation in CoordinateNotation.allCases { #expect(notation.text(place) == nil) }
    }
  }

  /// A step over each border of a zone, a band and an area, at which formats are most easily wrong.
  @Test func bordersReadBack() throws {
    for latitude in [
      -90, -80.000_001, -80, -72, -56, -40, -8, -1e-9, 0, 8, 40, 55.999_999, 56, 64, 71.999_999, 72, 83.999_999, 84, 90,
    ] {
      for longitude in stride(from: -180.0, through: 180, by: 3) {
        for shift in [-1e-7, 0, 1e-7] where (-180...180).contains(longitude + shift) {
          let place = Self.place(latitude, longitude + shift)
          for notation in [CoordinateNotation.utm, .mgrs] {
            let text = try #require(notation.text(place))
            let found = try #require(Coordinate(parsing: text), "\(text)")
            #expect(Geodesic.inverse(from: place, to: found).distance.value < 0.8, "\(text)")
          }
        }
      }
    }
  }
}

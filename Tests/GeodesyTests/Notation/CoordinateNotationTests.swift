import Geodesy
import Testing

@Suite struct CoordinateNotationTests {
  private static let dam = GridNotationTests.place(52.373_111, 4.892_194)

  @Test(arguments: [
    (CoordinateNotation.decimal, "52.3731110,4.8921940"), (.dms, "52°22'23.2\"N 4°53'31.9\"E"),
    (.utm, "31U 628811 5804223"), (.mgrs, "31UFU2881104222"), (.maidenhead, "JO22ki"), (.plusCode, "9F469VFR+6V"),
  ]) func usualTexts(notation: CoordinateNotation, expected: String) {
    #expect(notation.text(Self.dam) == expected)
  }

  @Test func eachPrecisionReadsBackWithinItsCell() throws {
    for notation in CoordinateNotation.allCases {
      for precision in notation.possiblePrecisions {
        let text = try #require(notation.text(Self.dam, precision: precision))
        // A field of 20° by 10° is not read: two letters are more likely a name.
        if notation == .maidenhead, precision == 2 { continue }
        let found = try #require(Coordinate(parsing: text), "\(text)")
        if notation != .utm, notation != .decimal, notation != .dms {
          // The center of a cell lies in the cell.
          #expect(notation.text(found, precision: precision) == text)
        }
      }
    }
  }

  @Test(arguments: [
    (0, "9°00'00\"N 9°00'00\"W"), (1, "8°59'59.9\"N 8°59'59.9\"W"), (2, "8°59'59.94\"N 8°59'59.94\"W"),
  ]) func secondsAreRoundedAndCarried(decimals: Int, expected: String) {
    let place = GridNotationTests.place(8.999_983_333, -8.999_983_333)
    #expect(SexagesimalText.text(place, decimals: decimals) == expected)
  }

  @Test(arguments: [
    "52.3731,4.8922", "52.3731, 4.8922", "52.3731 4.8922", "52.3731;4.8922", "+52.3731,+4.8922", "52.3731N 4.8922E",
    "N52.3731 E4.8922", "N 52.3731, E 4.8922", "52.3731° N, 4.8922° E", "4.8922E 52.3731N", "E4.8922 N52.3731",
    "52°22'23.16\"N 4°53'31.92\"E", "52° 22' 23.16\" N 4° 53' 31.92\" E", "52°22′23.16″N, 4°53′31.92″E",
    "52°22’23.16”N 4°53’31.92”E", "52º22'23.16''N 4º53'31.92''E", "52 22 23.16 N 4 53 31.92 E",
    "52 22 23.16, 4 53 31.92",
    "52 22 23.16 4 53 31.92", "52:22:23.16N 4:53:31.92E", "52:22:23.16,4:53:31.92", "52d22'23.16\"N 004d53'31.92\"E",
    "52d22m23.16s 4d53m31.92s", "52d22m23.16sN 4d53m31.92sE", "N 52° 22.386' E 4° 53.532'", "52 22.386 4 53.532",
    "52°22.386' 4°53.532'", "geo:52.3731,4.8922", "GEO:52.3731,4.8922,17.2;u=5", "52.3731/4.8922",
    "  52.3731,4.8922\t", "n52.3731 e4.8922", "+52.3731+004.8922/",
  ]) func readsTheUsualSpellings(text: String) throws {
    let place = try #require(Coordinate(parsing: text), "\(text)")
    #expect((place.latitude.degrees - 52.3731).magnitude < 1e-12, "\(text): \(place)")
    #expect((place.longitude.degrees - 4.8922).magnitude < 1e-12, "\(text): \(place)")
  }

  @Test(arguments: [
    ("-33.9,151.2", -33.9, 151.2), ("33.9S 151.2E", -33.9, 151.2), ("33.9 s 151.2 e", -33.9, 151.2),
    ("33°54'S 151°12'E", -33.9, 151.2), ("-33 54, 151 12", -33.9, 151.2), ("0 0", 0, 0), ("-0.5 -0.5", -0.5, -0.5),
    ("-0°30' -0°30'", -0.5, -0.5), ("40 -74", 40, -74), ("40-74", 40, -74), ("-40+74/", -40, 74), ("-.5,.5", -0.5, 0.5),
    ("90,180", 90, 180),
    ("-90,-180", -90, -180),
    ("\u{2212}33.9,151.2", -33.9, 151.2), ("S33 54.0 E151 12.0", -33.9, 151.2), ("22'S 4'E", nil, nil),
  ]) func signsAndLetters(text: String, latitude: Double?, longitude: Double?) throws {
    let place = Coordinate(parsing: text)
    guard let latitude, let longitude else { return #expect(place == nil) }
    #expect((try #require(place).latitude.degrees - latitude).magnitude < 1e-12)
    #expect((try #require(place).longitude.degrees - longitude).magnitude < 1e-12)
  }

  @Test(arguments: [
    "", " ", "52", "52.3731", "home", "N", "N E", "91,0", "0,181", "52,3731,4,8922", "52.3.1,4", "1e1,4", "0x10,4",
    "nan,nan",
    "inf,inf", "52 60 0 N 4 0 0 E", "52 22 61 N 4 0 0 E", "52.5 22 N 4 0 E", "-52 N 4 E", "52N 4N", "52E 4W", "52N 4",
    "52 N,4",
    "--52,4", "52:,4", "52:1:2:3,4", "52\" 4\"", "52°4' 22 33 44 55 66", "52,4\u{1B}[2J", "52,4\n",
    "52° 4.8922°x", "5２,4",
    "geo:52",
    "geo:,", "geo:", "JO", "JO2", "SO22", "JZ22kj0", "JO22yy", "9VFR+6V", "9F469VFR+6", "9F469VFR", "XX469VFR+",
    "9F00+", "+",
    "00000000+", "9F460000+6V", "9F4600R0+", "9A469VFR+", String(repeating: "1", count: 101), "1,2,3,4,5,6",
  ]) func refuses(text: String) {
    #expect(Coordinate(parsing: text) == nil)
  }

  /// The specification's test data (github.com/google/open-location-code, test_data/encoding.csv) at the limits of its range.
  @Test(arguments: [
    (20.375, 2.775, 6, "7FG49Q00+"), (20.3700625, 2.7821875, 10, "7FG49QCJ+2V"),
    (20.370_112_5, 2.782_234_375, 11, "7FG49QCJ+2VX"),
    (20.370_113_5, 2.782_235_351_56, 13, "7FG49QCJ+2VXGJ"), (47.000_062_5, 8.000_062_5, 10, "8FVC2222+22"),
    (-41.273_062_5, 174.785_937_5, 10, "4VCPPQGP+Q9"), (0.5, -179.5, 4, "62G20000+"), (-89.5, -179.5, 4, "22220000+"),
    (20.5, 2.5, 4, "7FG40000+"), (90, 1, 4, "CFX30000+"), (90, 1, 10, "CFX3X2X2+X2"), (1, 180, 4, "62H20000+"),
    (1, -180, 4, "62H20000+"), (37.539_669_125, -122.375_069_724, 15, "849VGJQF+VX7QR3J"),
  ]) func plusCodes(latitude: Double, longitude: Double, digits: Int, code: String) throws {
    #expect(PlusCode.text(GridNotationTests.place(latitude, longitude), digits: digits) == code)
    let center = try #require(Coordinate(parsing: code.lowercased()))
    #expect(PlusCode.text(center, digits: digits) == code)
  }

  /// W1AW in Newington, and the corners of the system.
  @Test(arguments: [
    (41.714_775, -72.727_260, 6, "FN31pr"), (48.146_66, 11.608_33, 6, "JN58td"), (-34.91, -56.211_66, 6, "GF15vc"),
    (38.92, -77.065, 8, "FM18lw20"), (-90, -180, 6, "AA00aa"), (90, 0, 6, "JR09ax"), (0, 180, 4, "AJ00"),
    (41.714_775, -72.727_260, 10, "FN31pr21RN"),
  ]) func locators(latitude: Double, longitude: Double, characters: Int, locator: String) throws {
    let place = GridNotationTests.place(latitude, longitude)
    #expect(MaidenheadLocator.text(place, characters: characters) == locator)
    let center = try #require(Coordinate(parsing: locator.lowercased()))
    #expect(MaidenheadLocator.text(center, characters: characters) == locator)
  }
}

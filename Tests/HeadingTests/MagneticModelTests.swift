import CAllocationCounter
import Geodesy
import HeadingSources
import Testing

@Suite struct MagneticModelTests {
  /// Latitude, longitude, height in km, year; declination and inclination in degrees, H and F in nT.
  typealias Row = (Double, Double, Double, Double, Double, Double, Double, Double)

  /// Values of pygeomag 1.1.0, an independent implementation, with WMM_2025.COF.
  static let rows: [Row] = [
    (47, 8, 0, 2026.9, 3.5213, 63.1297, 21812.24, 48260.06),
    (0, 180, 0, 2025, 9.9522, -5.1640, 33939.11, 34077.42),
    (0, -180, 100, 2029.99, 10.0023, -5.4737, 32252.87, 32400.61),
    (89.99, -120, 0, 2026, -103.8225, 88.1985, 1789.07, 56910.25),
    (-64.1, 135.9, 0, 2025.5, 122.9544, -89.7578, 281.83, 66675.21),
    (10.395, 52.504, 100, 2029.73, -0.1282, 9.0652, 35580.46, 36030.49),
    (5.272, -46.346, 100, 2027.85, -18.2593, 3.5971, 26707.42, 26760.14),
    (-78.159, -35.686, 0, 2025.59, 3.9215, -64.4040, 19346.41, 44780.94),
    (-51.92, -44.808, 100, 2025.25, -5.1382, -54.3179, 15170.39, 26008.41),
    (-84.983, 3.679, 0.4, 2028.85, -30.5389, -68.6261, 18315.71, 50255.42),
    (-85.208, -97.944, 100, 2029.61, 57.8251, -71.2506, 16262.38, 50593.98),
    (-26.195, 148.384, 600, 2025.55, 8.9849, -56.7405, 21747.57, 39654.10),
    (-54.341, -136.089, 600, 2025.16, 33.7285, -66.0066, 15384.58, 37834.16),
    (51.202, 18.981, 8, 2025.43, 6.1984, 67.4018, 19182.93, 49920.95),
  ]

  @Test(arguments: Self.rows) func independentValues(_ row: Row) throws {
    let found = try #require(field(row.0, row.1, kilometers: row.2, year: row.3))
    #expect((found.declination.degrees - row.4).magnitude < 0.0002)
    #expect((found.inclination.degrees - row.5).magnitude < 0.0001)
    #expect((found.horizontalNanotesla - row.6).magnitude < 0.02)
    #expect((found.totalNanotesla - row.7).magnitude < 0.02)
    #expect(found.validity == .valid)
  }

  /// At a pole every longitude is the same place, with its own direction of north: the vector in space does not change.
  @Test func aPoleIsOnePlace() throws {
    for latitude in [-90.0, 90] {
      let reference = try #require(field(latitude, 0, kilometers: 0, year: 2027))
      for longitude in stride(from: -180.0, through: 180, by: 22.5) {
        let other = try #require(field(latitude, longitude, kilometers: 0, year: 2027))
        #expect((other.totalNanotesla - reference.totalNanotesla).magnitude < 1e-6)
        #expect((other.downNanotesla - reference.downNanotesla).magnitude < 1e-6)
        let turned = other.declination.degrees - reference.declination.degrees
        let expected = latitude > 0 ? longitude : -longitude
        #expect((turned - expected).remainder(dividingBy: 360).magnitude < 1e-6)
      }
    }
  }

  @Test func aDateOutsideTheModelIsReported() throws {
    #expect(try #require(field(47, 8, kilometers: 0, year: 2024.9)).validity == .beforeModel)
    #expect(try #require(field(47, 8, kilometers: 0, year: 2030.1)).validity == .afterModel)
  }

  @Test func placesThatDoNotExist() {
    #expect(field(90.1, 0, kilometers: 0, year: 2026) == nil)
    #expect(field(.nan, 0, kilometers: 0, year: 2026) == nil)
    #expect(field(0, .infinity, kilometers: 0, year: 2026) == nil)
    #expect(field(0, 0, kilometers: 900, year: 2026) == nil)
    #expect(field(0, 0, kilometers: 0, year: .nan) == nil)
  }

  /// The day of the year before each date, and the days of its year.
  @Test(arguments: [(2025, 1, 1, 0, 365), (2027, 7, 2, 182, 365), (2028, 12, 31, 365, 366)])
  func decimalYears(year: Int, month: Int, day: Int, daysBefore: Int, days: Int) throws {
    let expected = Double(year) + Double(daysBefore) / Double(days)
    let date = try #require(CalendarDate(year: year, month: month, day: day))
    let midnight = try #require(TimeOfDay(hour: 0, minute: 0, second: 0))
    let time = try #require(GNSSTime(date: date, timeOfDay: midnight))
    #expect(try #require(MagneticModel.decimalYear(of: time)) == expected)
  }

  /// The magnetic poles of the model are in zones where a compass does not work; Switzerland is not.
  @Test func zones() throws {
    #expect(try #require(field(85.8, 139.3, kilometers: 0, year: 2025)).zone == .blackout)
    #expect(try #require(field(47, 8, kilometers: 0, year: 2025)).zone == .usable)
    let sigma = try #require(field(47, 8, kilometers: 0, year: 2026.9)).declinationStandardDeviation
    #expect((sigma.degrees - 0.36).magnitude < 0.005)
  }

  @Test func anEvaluationAllocatesNothing() throws {
    _ = field(47, 8, kilometers: 0, year: 2026)
    var sum = 0.0
    CAllocationCounter_start()
    for longitude in 0..<100 { sum += field(47, Double(longitude), kilometers: 0, year: 2026)?.downNanotesla ?? 0 }
    let allocations = CAllocationCounter_stop()
    #expect(allocations == 0 && sum > 0)
  }

  private func field(_ latitude: Double, _ longitude: Double, kilometers: Double, year: Double) -> MagneticField? {
    MagneticModel.field(
      at: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      height: Meters(kilometers * 1000), decimalYear: year)
  }
}

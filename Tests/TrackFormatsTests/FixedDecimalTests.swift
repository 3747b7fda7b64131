import Testing
import TrackFormats

@Suite struct FixedDecimalTests {
  @Test(arguments: [
    (0.0, "0.000"), (-0.0, "0.000"), (-0.0004, "0.000"), (0.0005, "0.001"), (-1.5, "-1.500"), (1.9996, "2.000"),
    (12345.678, "12345.678"),
  ]) func roundsToFixedDecimals(value: Double, expected: String) {
    #expect(FixedDecimal.text(value, decimals: 3) == expected)
  }

  @Test func dropsZerosDownToTheMinimum() {
    #expect(FixedDecimal.text(37.5, decimals: 9, minimum: 7) == "37.5000000")
    #expect(FixedDecimal.text(-179.123456789, decimals: 9, minimum: 7) == "-179.123456789")
    #expect(FixedDecimal.text(3, decimals: 3, minimum: 0) == "3")
    #expect(FixedDecimal.text(2.6, decimals: 0) == "3")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -9.1e8]) func reportsNothingForNoNumber(value: Double) {
    #expect(FixedDecimal.text(value, decimals: 9) == nil)
  }

  @Test func aDirectionNeverReaches360() {
    #expect(FixedDecimal.direction(359.996, decimals: 2) == "0.00")
    #expect(FixedDecimal.direction(359.994, decimals: 2) == "359.99")
    #expect(FixedDecimal.direction(359.6, decimals: 0) == "0")
  }
}

import Testing
import WireFormats

@Suite struct HeadingMessageTests {
  @Test(arguments: [
    ("HCHDG,98.3,0.0,E,12.6,W", 98_300, 0, -12_600), ("HCHDG,101.1,2.5,W,7.1,E", 101_100, -2500, 7100),
  ]) func hdg(sentence: String, heading: Int32, deviation: Int32, variation: Int32) throws {
    guard case .magneticHeading(let found)? = Decoding.nmea(sentence) else { throw Missing.message }
    #expect(found.headingMillidegrees == heading && found.trueHeadingMillidegrees == nil)
    #expect(found.deviationMillidegrees == deviation && found.variationMillidegrees == variation)
  }

  /// Compasses without a table of deviations leave the fields empty.
  @Test func hdgWithoutCorrections() throws {
    guard case .magneticHeading(let found)? = Decoding.nmea("HCHDG,98.3,,,,") else { throw Missing.message }
    #expect(found.headingMillidegrees == 98_300)
    #expect(found.deviationMillidegrees == nil && found.variationMillidegrees == nil)
  }

  @Test func hdmAndVHW() throws {
    guard case .magneticHeading(let hdm)? = Decoding.nmea("HCHDM,238.5,M") else { throw Missing.message }
    #expect(hdm.headingMillidegrees == 238_500)
    guard case .magneticHeading(let vhw)? = Decoding.nmea("VWVHW,245.1,T,244.5,M,2.5,N,4.6,K") else {
      throw Missing.message
    }
    #expect(vhw.headingMillidegrees == 244_500 && vhw.trueHeadingMillidegrees == 245_100)
    guard case .magneticHeading(let log)? = Decoding.nmea("VWVHW,,T,,M,2.5,N,4.6,K") else { throw Missing.message }
    #expect(log.headingMillidegrees == nil && log.trueHeadingMillidegrees == nil)
  }

  @Test func rot() throws {
    guard case .rateOfTurn(let port)? = Decoding.nmea("TIROT,-35.6,A") else { throw Missing.message }
    #expect(port.millidegreesPerMinute == -35_600 && port.isValid)
    guard case .rateOfTurn(let none)? = Decoding.nmea("TIROT,,V") else { throw Missing.message }
    #expect(none.millidegreesPerMinute == nil && !none.isValid)
  }

  @Test(arguments: [
    "HCHDG,98.3", "HCHDG,360.1,,,,", "HCHDG,98.3,1.0,N,,", "HCHDG,98.3,181,E,,", "HCHDM,98.3", "HCHDM,98.3,T",
    "VWVHW,245.1,T,244.5,M,2.5,N", "VWVHW,245.1,M,244.5,T,2.5,N,4.6,K", "TIROT,1", "TIROT,1,X", "TIROT,1,A,",
  ]) func malformed(sentence: String) {
    #expect(Decoding.nmea(sentence) == nil)
  }

  /// A vector of 1.234 m with a heading of 123.45678°, from UBX-21048598, section 3.15.13.
  @Test func relativePosition() throws {
    var payload = [UInt8](repeating: 0, count: 64)
    payload[0] = 1
    put(123_456_000, at: 4, in: &payload)
    put(123, at: 20, in: &payload)
    put(12_345_678, at: 24, in: &payload)
    payload[35] = 40
    put(25_000, at: 52, in: &payload)
    // gnssFixOK, relPosValid, carrier fixed, moving base, relPosHeadingValid.
    put(1 | 1 << 2 | 2 << 3 | 1 << 5 | 1 << 8, at: 60, in: &payload)
    guard case .navRELPOSNED(let vector)? = Decoding.ubx(0x01, 0x3C, payload)?.first else { throw Missing.message }
    #expect(vector.timeOfWeekMilliseconds == 123_456_000 && vector.lengthTenthsOfMillimeter == 12_340)
    #expect(vector.headingE5 == 12_345_678 && vector.headingAccuracyE5 == 25_000)
    #expect(vector.isFixed && vector.isMovingBase)
    // Each of the three flags is required for a heading.
    for flag in [UInt32(1), 1 << 2, 1 << 8] {
      put((1 | 1 << 2 | 1 << 8) & ~flag, at: 60, in: &payload)
      guard case .navRELPOSNED(let invalid)? = Decoding.ubx(0x01, 0x3C, payload)?.first else { throw Missing.message }
      #expect(invalid.headingE5 == nil && !invalid.isFixed)
    }
  }

  private func put(_ value: UInt32, at offset: Int, in payload: inout [UInt8]) {
    for byte in 0..<4 { payload[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }
}

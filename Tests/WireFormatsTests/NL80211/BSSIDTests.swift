import Testing
import WireFormats

@Suite struct BSSIDTests {
  @Test(arguments: ["00:01:e3:0a:f6:33", "00-01-E3-0A-F6-33"]) func itsText(_ text: String) throws {
    let bssid = try #require(BSSID(text))
    #expect(bssid.rawValue == 0x0001_E30A_F633)
    #expect(bssid.description == "00:01:e3:0a:f6:33")
    #expect(bssid.prefix == 0x0001E3)
    #expect(bssid.isIndividual && !bssid.isLocallyAdministered)
  }

  @Test(arguments: [
    "", "00:01:e3:0a:f6", "00:01:e3:0a:f6:3", "00:01:e3:0a:f6:33:", "00:01:e3:0a:f6:3g", "0001:e3:0a:f6:333",
    "00.01.e3.0a.f6.33",
  ]) func whatIsNone(_ text: String) {
    #expect(BSSID(text) == nil)
  }

  @Test func itsBytes() {
    let bytes: [UInt8] = [0x02, 0, 0, 0, 0, 0xFF]
    #expect(BSSID(bytes.span)?.description == "02:00:00:00:00:ff")
    #expect(BSSID(bytes.span)?.isLocallyAdministered == true)
    #expect(BSSID(bytes.span.extracting(0..<5)) == nil)
    #expect(BSSID(rawValue: 1 << 48) == nil)
  }

  @Test(arguments: ["01:00:5e:00:00:01", "ff:ff:ff:ff:ff:ff", "00:00:00:00:00:00"]) func noOnesOwn(_ text: String) {
    #expect(BSSID(text)?.isIndividual == false)
  }
}

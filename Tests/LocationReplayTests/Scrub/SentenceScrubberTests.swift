import Foundation
import Geodesy
import LocationReplay
import Testing
import WireFormats

/// Sentence by sentence: what is kept, what is moved, and what is blanked.
@Suite struct SentenceScrubberTests {
  private func fields(_ content: String, seed: UInt64 = 1) -> [String] {
    ScrubBench.sentence(content, seed: seed).components(separatedBy: ",")
  }

  @Test func ggaKeepsItsQuality() {
    let gga = fields("GNGGA,120001.00,4717.10500,N,00833.90000,E,5,12,0.76,404.4,M,-30.0,M,1.2,2042")
    #expect(gga[1] == "120001.00")
    #expect(gga[2].count == 10 && gga[2] != "4717.10500")
    #expect(gga[4].count == 11 && gga[4] != "00833.90000")
    #expect(gga[6...8] == ["5", "12", "0.76"])
    #expect(gga[9].count == 5 && gga[9] != "404.4")
    #expect(gga[11].count == 5 && gga[11] != "-30.0")
    #expect(gga[13...14] == ["1.2", "0000"])
  }

  @Test func magneticVariationAndDatumsGo() {
    #expect(fields("GPRMC,120001.00,A,4717.10000,N,00833.90000,E,0.1,77.52,010826,3.1,W,A")[10...11] == ["0.0", "E"])
    let vtg = fields("GPVTG,77.52,T,74.42,M,10.004,N,18.527,K,A")
    #expect(vtg[1] == vtg[3] && vtg[1] != "77.52")
    #expect(vtg[5...] == ["10.004", "N", "18.527", "K", "A"])
    let hdg = fields("HCHDG,101.1,1.2,W,3.1,W")
    #expect(hdg[1] != "101.1")
    #expect(hdg[2...] == ["0.0", "E", "0.0", "E"])
    #expect(
      fields("GPDTM,P74,C,0.123,S,0.456,W,45.1,P74") == [
        "$GPDTM", "W84", "X", "0.000", "N", "0.000", "E", "00.0", "W84",
      ])
    #expect(fields("GPZDA,120001.00,01,08,2026,-05,30") == ["$GPZDA", "120001.00", "01", "08", "2026", "000", "00"])
    #expect(fields("GPGST,120001.00,1.1,3.0,2.0,45.3,2.7,2.4,4.0")[5] == "00.0")
  }

  /// The course of a receiver that stands still is 0; rotated, it would reveal the rotation.
  @Test func anUnknownCourseStaysUnknown() {
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(fields("GPRMC,120001.00,A,4717.10000,N,00833.90000,E,0.0,0.00,010826,,,A", seed: seed)[8] == "0.00")
      #expect(fields("GPRMC,120001.00,A,4717.10000,N,00833.90000,E,30.0,000.00,010826,,,A", seed: seed)[8] != "000.00")
    }
  }

  @Test(arguments: [
    "GPWPL,4717.104,N,00833.915,E,HOME", "GPBWC,120001,4717.104,N,00833.915,E,213.8,T,218.0,M,0004.6,N,HOME",
    "PTNL,GGK,120001.00,080126,4717.10400000,N,00833.91500000,E,3,08,1.3,EHT455.2,M",
    "PASHR,POS,2,13,120001,4717.10400,N,00833.91500,E,400.0,,213.8,0.1,0.0,1.1,0.8,0.7,0.5,A",
    "PQTMEPE,2,47.28506,8.56525,1.0,1.0", "PGRMZ,1492,f,3", "AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0",
    "PSTMX,41ACF6C2,4102A8F6", "GPRMB,A,0.66,L,003,004,4717.104,N,00833.915,W,001.3,052.5,000.5,V",
    "GPTXT,01,01,02,home is 47.28506 8.56525",
  ]) func unknownContentIsBlanked(content: String) {
    let scrubbed = ScrubBench.sentence(content)
    #expect(scrubbed.count == content.count + 1)
    let commas = scrubbed.filter { $0 == "," }.count
    #expect(commas == content.filter { $0 == "," }.count)
    // In a text, only the numbering of its sentences stays.
    let behind = scrubbed.drop { $0 != "," }.dropFirst(content.hasPrefix("GPTXT") ? ",01,01,02,".count : 1)
    #expect(behind.allSatisfy { "0X,. ".contains($0) }, "\(scrubbed)")
    #expect(ScrubBench.sentence(content) { $0.keepsUnknown = true } == "$\(content)")
  }

  @Test(arguments: [
    "GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9", "GPTXT,01,01,02,ANTSTATUS=OK",
    "PUBX,04,120001.00,010826,43201.00,2430,18,0,0.0,21",
    "PMTK001,604,3", "PGRME,3.1,M,4.2,M,5.2,M", "GPGGA,120001.00,,,,,0,00,99.99,,,,,,",
  ]) func harmlessContentStays(content: String) {
    #expect(ScrubBench.sentence(content) == "$\(content)")
  }

  /// Fields that the decoder skips, and text fields, contain the expected characters and nothing else.
  @Test(arguments: [
    "PMTK705,AXN_2.31,X,4717.1132,N", "GPGBS,120001.00,1.4,1.3,3.1,4717.11321,N,00833.91518,E,1,0",
    "GPTXT,01,01,02,HW UBX 4717.1132", "GPGGA,120001.00,4717.11321,N,00833.91518,E,1,08,1.0,400.0,M,47.0,M,4717.1132,",
    "GPVTG,77.52,T,4717.1132,M,10.004,N,4717.1132,4717.1132,A", "GPGBS", "GPGGA", "PUBX,03", "GPGSV", "GPDTM", "GPTXT",
    "PUBX", "N,GGA,120001.00,4717.11321,N,00833.91518,E,1,08,1.0,400.0,M,47.0,M,,",
  ]) func noFieldIsAHidingPlace(content: String) {
    let scrubbed = ScrubBench.sentence(content)
    #expect(scrubbed.count == content.count + 1)
    #expect(!scrubbed.contains("4717.1132"), "\(scrubbed)")
    #expect(!scrubbed.contains("833.9151"), "\(scrubbed)")
  }

  /// The number and direction of a satellite are replaced: one direction per satellite, the same in all sentences; its signal
  /// stays.
  @Test func satellitesAreOthers() {
    let gsv = fields("GPGSV,1,1,04,02,25,181,42,06,45,146,45,12,19,292,,33,31,209,41")
    let gsa = fields("GPGSA,A,3,02,06,12,33,,,,,,,,,1.8,1.0,1.5")
    #expect([gsv[4], gsv[8], gsv[12], gsv[16]] == Array(gsa[3...6]))
    #expect([gsv[7], gsv[11], gsv[15], gsv[19]] == ["42", "45", "", "41"])
    #expect(
      gsv.map(\.count)
        == "$GPGSV,1,1,04,02,25,181,42,06,45,146,45,12,19,292,,33,31,209,41"
        .components(separatedBy: ",").map(\.count))
    let again = fields("GPGSV,1,1,01,02,26,182,40")
    #expect(again[4...6] == gsv[4...6])
    // With several anonymizations, each of these values differs.
    let others = Set((1...20).map { fields("GPGSV,1,1,01,12,25,181,42", seed: $0)[4...6].joined() })
    #expect(others.count > 10)
    // BeiDou in Quectel's form.
    #expect(fields("PQGSV,1,1,01,12,25,181,42")[7] == "42")
    // Numbers of no known scheme reveal nothing either; an absent number stays absent.
    #expect(fields("GAGSV,1,1,02,85,25,181,42,00,45,146,45")[4] == "99")
    #expect(fields("GAGSV,1,1,02,85,25,181,42,00,45,146,45")[8] == "00")
    let sky = "GPGSV,1,1,02,02,25,181,42,06,45,146,45"
    #expect(ScrubBench.sentence(sky) { $0.keepsSky = true } == "$\(sky)")
  }

  /// Numbers with more digits than any receiver writes keep their length, and stay numbers.
  @Test func longNumbersStayLong() {
    let gga = fields(
      "GNGGA,120001.00,4717.10500,N,00833.90000,E,1,12,0.76,404.4000000000000000,M,.0111111111111111,M,,")
    #expect(gga[9].count == 20 && gga[11].count == 17)
    #expect(gga[6] == "1", "\(gga)")
  }

  /// Before the first fix, the fields are blanked, because nothing guarantees that they contain no position.
  @Test func withoutAFixTheFieldsAreBlank() {
    let rmc = ScrubBench.nmea("GPRMC,120001.00,V,4717.10000,S,00833.90000,W,,,010826,,,N")
    #expect(
      String(decoding: ScrubBench.scrub(rmc), as: UTF8.self)
        .hasPrefix("$GPRMC,120001.00,V,0000.00000,N,00000.00000,E,,,010826,,,N*"))
  }

  /// A malformed sentence stays malformed, and contains no data.
  @Test(arguments: [
    "GPGGA,120001.00,4717.10000,N,00833.90000,E,1,08,1.0,400.0,M,47.0,M",
    "GPGLL,4717.10000,N,00833.90000,X,120001.00,A,A",
    "GPRMC,120001.00,A,47171.0000,N,00833.90000,E,0.1,77.52,010826,,,A",
    "GPGST,120001.00,1.1,3.0,2.0,45.3,-2.7,2.4,4.0",
  ]) func malformedContentStaysMalformed(content: String) {
    let scrubbed = ScrubBench.scrub(ScrubBench.nmea(content))
    #expect(ScrubBench.counters(scrubbed).malformed == 1)
    #expect(
      !scrubbed.contains { (0x31...0x39).contains($0) }
        || scrubbed.lastIndex { (0x31...0x39).contains($0) }! > scrubbed.count - 5)
  }
}

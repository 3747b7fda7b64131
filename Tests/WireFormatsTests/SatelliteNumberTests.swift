import Testing
import WireFormats

/// The numbering schemes for satellites.
@Suite struct SatelliteNumberTests {
  @Test(
    arguments: [
      // NMEA 0183 4.11: the talker names the system.
      ("GP", 1, .gps, 1), ("GP", 32, .gps, 32), ("GP", 33, .sbas, 120), ("GP", 64, .sbas, 151), ("GP", 152, .sbas, 152),
      ("GP", 158, .sbas, 158), ("GL", 65, .glonass, 1), ("GL", 96, .glonass, 32), ("GL", 1, .glonass, 1),
      ("GL", 24, .glonass, 24),
      ("GA", 1, .galileo, 1), ("GA", 36, .galileo, 36), ("GB", 1, .beidou, 1), ("GB", 37, .beidou, 37),
      ("GB", 63, .beidou, 63),
      ("BD", 14, .beidou, 14), ("GQ", 1, .qzss, 1), ("QZ", 193, .qzss, 1), ("GI", 1, .navic, 1), ("GI", 14, .navic, 14),
      // Extended numbering before 4.11.
      ("GP", 65, .glonass, 1), ("GP", 193, .qzss, 1), ("GP", 202, .qzss, 10), ("GP", 120, .sbas, 120),
      ("GA", 301, .galileo, 1),
      ("GA", 336, .galileo, 36), ("GB", 401, .beidou, 1), ("GB", 437, .beidou, 37), ("GN", 401, .beidou, 1),
      ("GN", 5, .gps, 5),
      ("GN", 70, .glonass, 6), ("GN", 901, .navic, 1), ("GP", 173, .imes, 1), ("GP", 182, .imes, 10),
      // Quectel.
      ("GA", 101, .galileo, 1), ("PQ", 201, .beidou, 1), ("PQ", 237, .beidou, 37),
    ] as [(String, Int, Constellation, UInt8)])
  func known(talker: String, number: Int, constellation: Constellation, expected: UInt8) throws {
    #expect(try satellite(talker, number) == SatelliteID(constellation, expected))
  }

  @Test(
    arguments: [
      ("GP", 0), ("GP", 97), ("GP", 183), ("GP", 999), ("GL", 0), ("GL", 97), ("GA", 65), ("GA", 159), ("GB", 65),
      ("GB", 265),
      ("GQ", 100), ("GI", 19 + 78), ("GN", 300), ("GN", 464),
    ] as [(String, Int)])
  func unknown(talker: String, number: Int) throws {
    #expect(try satellite(talker, number) == nil)
  }

  /// GSA in 4.11 has the system in its last field; then the numbers are those of that system.
  @Test func systemBeforeTalker() {
    let talker = Talker.combined
    #expect(SatelliteID(nmea: 3, talker: talker, system: .galileo) == SatelliteID(.galileo, 3))
    #expect(SatelliteID(nmea: 3, talker: talker, system: .beidou) == SatelliteID(.beidou, 3))
    #expect(SatelliteID(nmea: 70, talker: talker, system: .glonass) == SatelliteID(.glonass, 6))
    #expect(SatelliteID(nmea: 33, talker: talker, system: .gps) == SatelliteID(.sbas, 120))
    #expect(SatelliteID(nmea: 2, talker: talker, system: .qzss) == SatelliteID(.qzss, 2))
    #expect(SatelliteID(nmea: 2, talker: talker, system: .navic) == SatelliteID(.navic, 2))
  }

  @Test func neverTraps() {
    for number in -1000...2000 {
      for system: NMEASystem? in [nil, .gps, .glonass, .galileo, .beidou, .qzss, .navic] {
        let id = SatelliteID(nmea: number, talker: .other, system: system)
        #expect(id.map { $0.number > 0 } ?? true)
      }
    }
    #expect(
      SatelliteID(nmea: .min, talker: .gps, system: nil) == nil
        && SatelliteID(nmea: .max, talker: .gps, system: nil) == nil)
  }

  private func satellite(_ talker: String, _ number: Int) throws -> SatelliteID? {
    guard case .gsv(let gsv)? = Decoding.nmea("\(talker)GSV,1,1,01,\(number),40,083,46") else { throw Missing.message }
    return gsv.satellites[0].id
  }
}

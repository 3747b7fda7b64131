import Geodesy
import Testing
import WireFormats

/// The sentences about satellites, errors, heading and text.
@Suite struct QualitySentenceTests {
  @Test func gsa() throws {
    guard case .gsa(let gsa)? = Decoding.nmea("GNGSA,A,3,80,83,73,84,82,,,,,,,,1.48,0.76,1.27,2") else {
      throw Missing.message
    }
    #expect(gsa.dimension == .three && gsa.satellitesUsed == 5 && gsa.system == .glonass)
    #expect((0..<5).map { gsa.numbers[$0] } == [80, 83, 73, 84, 82])
    #expect(gsa.pdopHundredths == 148 && gsa.hdopHundredths == 76 && gsa.vdopHundredths == 127)
    guard case .gsa(let old)? = Decoding.nmea("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99") else { throw Missing.message }
    #expect(old.dimension == .none && old.satellitesUsed == 0 && old.system == .gps && old.pdopHundredths == 9999)
    guard case .gsa(let mixed)? = Decoding.nmea("GNGSA,A,2,05,,,,,,,,,,,,2.0,1.0,1.7") else { throw Missing.message }
    #expect(mixed.dimension == .two && mixed.system == nil)
  }

  @Test func gsv() throws {
    guard case .gsv(let gsv)? = Decoding.nmea("GPGSV,3,1,10,02,25,181,42,06,45,146,,12,19,292,47,13,-7,209,43,1") else {
      throw Missing.message
    }
    #expect(gsv.sentences == 3 && gsv.sentence == 1 && !gsv.isLast && gsv.satellitesInView == 10)
    #expect(gsv.count == 4 && gsv.signal == 1)
    #expect(gsv.satellites[0].id == SatelliteID(.gps, 2))
    #expect(gsv.satellites[0].elevationDegrees == 25 && gsv.satellites[0].azimuthDegrees == 181)
    #expect(gsv.satellites[0].signalDecibelHertz == 42 && gsv.satellites[1].signalDecibelHertz == nil)
    #expect(gsv.satellites[3].id == SatelliteID(.gps, 13) && gsv.satellites[3].elevationDegrees == -7)
  }

  @Test func gsvOfAnUnknownSatellite() throws {
    guard case .gsv(let gsv)? = Decoding.nmea("GLGSV,3,3,09,,,,53,1") else { throw Missing.message }
    #expect(gsv.isLast && gsv.count == 1 && gsv.satellites[0].id == nil)
    #expect(gsv.satellites[0].signalDecibelHertz == 53 && gsv.satellites[0].elevationDegrees == nil)
  }

  @Test(
    arguments: [
      ("GPGSV,1,1,00", 0, nil), ("GPGSV,1,1,00,1", 0, 1), ("GPGSV,1,1,01,05,40,083,46", 1, nil),
      ("GPGSV,1,1,01,05,40,083,46.5,A", 1, 10), ("GPGSV,1,1,02,05,40,083,46,,,,", 1, nil),
    ] as [(String, UInt8, UInt8?)])
  func formsOfGSV(content: String, count: UInt8, signal: UInt8?) throws {
    guard case .gsv(let gsv)? = Decoding.nmea(content) else { throw Missing.message }
    #expect(gsv.count == count && gsv.signal == signal && gsv.isLast)
  }

  /// Quectel's EC and EG modules: the signal, and then the system, 4 for BeiDou or 5 for QZSS.
  @Test func gsvWithItsSystem() throws {
    guard case .gsv(let beidou)? = Decoding.nmea("PQGSV,2,2,05,08,30,120,22,21,,,,0,4") else { throw Missing.message }
    #expect(beidou.isLast && beidou.count == 2 && beidou.signal == 0)
    #expect(beidou.satellites[0].id == SatelliteID(.beidou, 8) && beidou.satellites[1].id == SatelliteID(.beidou, 21))
    guard case .gsv(let qzss)? = Decoding.nmea("PQGSV,1,1,01,02,30,120,22,1,5") else { throw Missing.message }
    #expect(qzss.satellites[0].id == SatelliteID(.qzss, 2) && qzss.signal == 1)
  }

  /// The SiRF Atlas VI sends a fourth dilution, the Navior CH-4701 has fields for 24 satellites.
  @Test func formsOfGSA() throws {
    guard case .gsa(let sirf)? = Decoding.nmea("BDGSA,A,3,02,03,04,,,,,,,,,,5.1,1.3,4.9,3.3") else {
      throw Missing.message
    }
    #expect(
      sirf.dimension == .three && sirf.satellitesUsed == 3 && sirf.system == .beidou && sirf.vdopHundredths == 490)
    guard case .gsa(let navior)? = Decoding.nmea("GPGSA,A,3,23,13,07,25,,,,,,,,,,,,,,,,,,,,29,9.2,7.2,5.7") else {
      throw Missing.message
    }
    #expect(navior.satellitesUsed == 5 && navior.pdopHundredths == 920 && navior.hdopHundredths == 720)
    #expect(navior.vdopHundredths == 570)
  }

  @Test func gst() throws {
    guard case .gst(let gst)? = Decoding.nmea("GPGST,082356.00,1.8,2.5,1.75,34.2,1.7,1.3,2.2") else {
      throw Missing.message
    }
    #expect(gst.time == TimeOfDay(hour: 8, minute: 23, second: 56))
    #expect(gst.semiMajorMillimeters == 2500 && gst.semiMinorMillimeters == 1750)
    #expect(gst.latitudeDeviationMillimeters == 1700 && gst.longitudeDeviationMillimeters == 1300)
    #expect(gst.altitudeDeviationMillimeters == 2200)
  }

  @Test func gbs() throws {
    guard case .gbs(let gbs)? = Decoding.nmea("GPGBS,235458.00,1.4,1.3,3.1,03,,-21.4,3.8,1,0") else {
      throw Missing.message
    }
    #expect(gbs.time == TimeOfDay(hour: 23, minute: 54, second: 58))
    #expect(gbs.latitudeErrorMillimeters == 1400 && gbs.longitudeErrorMillimeters == 1300)
    #expect(gbs.altitudeErrorMillimeters == 3100)
  }

  @Test func headings() throws {
    guard case .hdt(let hdt)? = Decoding.nmea("GPHDT,274.07,T") else { throw Missing.message }
    #expect(hdt.headingMillidegrees == 274_070)
    guard case .ths(let ths)? = Decoding.nmea("GNTHS,77.52,E") else { throw Missing.message }
    #expect(ths.headingMillidegrees == 77_520 && ths.mode == .estimated)
    guard case .ths(let none)? = Decoding.nmea("GNTHS,,V") else { throw Missing.message }
    #expect(none.headingMillidegrees == nil && none.mode == .valid)
  }

  @Test func txt() throws {
    guard case .txt(let txt)? = Decoding.nmea("GNTXT,01,01,02,ANTSTATUS=OK, all well ") else { throw Missing.message }
    #expect(txt.severity == 2 && txt.text.string == "ANTSTATUS=OK, all well")
    let long = String(repeating: "x,", count: 100)
    guard case .txt(let cut)? = Decoding.nmea("GNTXT,01,01,07,\(long)") else { throw Missing.message }
    #expect(cut.text.string == String(repeating: "x,", count: 32))
  }
}

import Geodesy
import Testing
import WireFormats

/// Proprietary sentences, and unknown ones.
@Suite struct ProprietarySentenceTests {
  /// UBX-13003221, section 31.3.2.
  @Test func pubxPosition() throws {
    guard
      case .pubxPosition(let fix)? = Decoding.nmea(
        "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0")
    else { throw Missing.message }
    #expect(fix.time == TimeOfDay(hour: 8, minute: 13, second: 50) && fix.status == .standalone3D)
    #expect(fix.latitudeNanodegrees == 47_285_220_167 && fix.longitudeNanodegrees == 8_565_253_117)
    #expect(fix.heightMillimeters == 546_589)
    #expect(fix.horizontalAccuracyMillimeters == 2100 && fix.verticalAccuracyMillimeters == 2000)
    #expect(fix.speedMetersPerHour == 7 && fix.courseMillidegrees == 77_520)
    #expect(fix.hdopHundredths == 92 && fix.vdopHundredths == 119 && fix.satellitesUsed == 9)
  }

  @Test(
    arguments: [
      ("NF", .noFix), ("DR", .deadReckoning), ("G2", .standalone2D), ("G3", .standalone3D), ("D2", .differential2D),
      ("D3", .differential3D), ("RK", .combined), ("TT", .timeOnly),
    ] as [(String, PUBXPosition.Status)])
  func statusOfPUBX(letters: String, status: PUBXPosition.Status) throws {
    guard
      case .pubxPosition(let fix)? = Decoding.nmea(
        "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,\(letters),2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0"
      )
    else { throw Missing.message }
    #expect(fix.status == status)
  }

  /// UBX-13003221, section 31.3.4; the numbers are u-blox's own (appendix A), not NMEA's.
  @Test func pubxSatellites() throws {
    let decoding = Decoding(
      sentence: "PUBX,03,04,23,-,,,45,010,33,U,180,-05,,000,120,e,042,31,41,064,211,U,359,90,50,064")
    #expect(decoding.counters.validNMEA == 1 && decoding.counters.malformed == 0 && decoding.counters.unknown == 0)
    let satellites: [PUBXSatellite] = decoding.messages.compactMap { message in
      guard case .nmea(.pubxSatellite(let satellite), _) = message else { return nil }
      return satellite
    }
    #expect(satellites.count == 4)
    guard satellites.count == 4 else { return }
    #expect(satellites[0].id == SatelliteID(.gps, 23) && !satellites[0].isUsed && satellites[0].azimuthDegrees == nil)
    #expect(satellites[0].signalDecibelHertz == 45 && satellites[0].elevationDegrees == nil)
    #expect(satellites[1].id == SatelliteID(.beidou, 6) && satellites[1].isUsed)
    #expect(satellites[1].azimuthDegrees == 180 && satellites[1].elevationDegrees == -5)
    #expect(satellites[1].signalDecibelHertz == nil)
    #expect(satellites[2].id == SatelliteID(.sbas, 120) && !satellites[2].isUsed)
    #expect(satellites[3].id == SatelliteID(.galileo, 1))
  }

  /// Trimble 5700 user guide, table 12.5.
  @Test func trimbleGGK() throws {
    guard
      case .ggk(let fix)? = Decoding.nmea(
        "PTNL,GGK,172814.00,071396,3723.46587704,N,12202.26957864,W,3,06,1.7,EHT-6.777,M")
    else { throw Missing.message }
    #expect(fix.time == TimeOfDay(hour: 17, minute: 28, second: 14))
    #expect(fix.date?.date == CalendarDate(year: 1996, month: 7, day: 13))
    #expect(fix.latitudeNanodegrees == 37_391_097_951 && fix.longitudeNanodegrees == -122_037_826_311)
    #expect(fix.coordinateDecimals == 8 && fix.quality == .rtkFixed && fix.satellitesUsed == 6)
    #expect(fix.pdopHundredths == 170 && fix.ellipsoidMillimeters == -6777)
    guard case .ggk(let none)? = Decoding.nmea("PTNL,GGK,,,,,,,0,00,,,M") else { throw Missing.message }
    #expect(none.quality == .invalid && none.time == nil && none.ellipsoidMillimeters == nil)
    #expect(Decoding(sentence: "PTNL,AVR,181059.6,+149.4688,Yaw").counters.unknown == 1)
  }

  /// Some guides specify mmddyy and others ddmmyy: only a date that is unambiguous is accepted.
  @Test(
    arguments: [
      ("071396", (1996, 7, 13)), ("130796", (1996, 7, 13)), ("070796", (1996, 7, 7)), ("071296", nil), ("0", nil),
      ("131396", nil), ("023122", nil),
    ] as [(String, (Int, Int, Int)?)])
  func theDateOfGGKIsAcceptedWhereItIsPlain(reported: String, date: (Int, Int, Int)?) throws {
    guard case .ggk(let fix)? = Decoding.nmea("PTNL,GGK,172814.00,\(reported),3723.4,N,12202.2,W,1,06,1.7,EHT1,M")
    else {
      throw Missing.message
    }
    #expect(fix.date?.date == date.flatMap { CalendarDate(year: $0.0, month: $0.1, day: $0.2) })
  }

  @Test func qualcommsErrors() throws {
    guard
      case .pqxfi(let errors)? = Decoding.nmea("PQXFI,143653.0,3649.353448,N,00442.549153,W,194.6,3.54,2.50,0.09")
    else { throw Missing.message }
    #expect(errors.time == TimeOfDay(hour: 14, minute: 36, second: 53))
    #expect(errors.horizontalErrorMillimeters == 3540 && errors.verticalErrorMillimeters == 2500)
    guard case .pqxfi(let none)? = Decoding.nmea("PQXFI,,,,,,,,,,") else { throw Missing.message }
    #expect(none.time == nil && none.horizontalErrorMillimeters == nil)
  }

  @Test func pubxSatellitesOfManyAndNone() {
    let many = (1...64).map { ",\($0 % 32 + 1),U,180,45,40,064" }.joined()
    #expect(Decoding(sentence: "PUBX,03,64" + many).messages.count == 64)
    let none = Decoding(sentence: "PUBX,03,00")
    #expect(none.messages.isEmpty && none.counters.malformed == 0 && none.counters.unknown == 0)
  }

  @Test func pubxTime() throws {
    guard case .pubxTime(let time)? = Decoding.nmea("PUBX,04,073731.00,091202,113851.00,1196,15D,1930035,-2660.664,43")
    else { throw Missing.message }
    #expect(time.time == TimeOfDay(hour: 7, minute: 37, second: 31))
    #expect(time.date?.day == 9 && time.date?.month == 12 && time.date?.year == 2)
    #expect(time.leapSeconds == 15 && time.leapSecondsAreDefault)
    guard
      case .pubxTime(let received)? = Decoding.nmea("PUBX,04,073731.00,091202,113851.00,1196,18,1930035,-2660.664,43")
    else { throw Missing.message }
    #expect(received.leapSeconds == 18 && !received.leapSecondsAreDefault)
  }

  @Test func pmtk() throws {
    guard case .pmtk(let answer)? = Decoding.nmea("PMTK001,604,3") else { throw Missing.message }
    #expect(answer.type == 1 && answer.command == 604 && answer.result == 3)
    guard case .pmtk(let start)? = Decoding.nmea("PMTK010,001") else { throw Missing.message }
    #expect(start.type == 10 && start.command == 1)
    guard case .pmtk(let text)? = Decoding.nmea("PMTK011,MTKGPS") else { throw Missing.message }
    #expect(text.type == 11 && text.text.string == "MTKGPS")
    guard case .pmtk(let release)? = Decoding.nmea("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0") else {
      throw Missing.message
    }
    #expect(release.type == 705 && release.text.string == "AXN_2.31_3339_13101700,5632,PA6H,1.0")
  }

  @Test func pgrme() throws {
    guard case .pgrme(let errors)? = Decoding.nmea("PGRME,15.0,M,45.0,M,25.0,M") else { throw Missing.message }
    #expect(errors.horizontalErrorMillimeters == 15_000 && errors.verticalErrorMillimeters == 45_000)
    #expect(errors.positionErrorMillimeters == 25_000)
  }

  @Test func phoneAccuracy() throws {
    guard case .phoneAccuracy(let accuracy)? = Decoding.nmea("GNACCURACY,4.1") else { throw Missing.message }
    #expect(accuracy.horizontalRadius68Millimeters == 4_100)
    guard case .phoneAccuracy(let none)? = Decoding.nmea("GPACCURACY,") else { throw Missing.message }
    #expect(none.horizontalRadius68Millimeters == nil)
    for other in ["GNACCURACX,4.1", "GNACCURACYS,4.1", "GNACCURACY"] {
      #expect(Decoding(sentence: other).counters.unknown == 1, "\(other)")
    }
  }

  @Test(arguments: [
    "GPXTE,A,A,0.67,L,N", "PSRF150,1", "PSTMVER,BINIMG_4.5.8", "PUBX,05,1,2", "PGRMZ,246,f,3", "PMTK220,1000",
    "AIVDM,1,1,,A,x,0",
    "PQTMVERNO,x", "", "P", "GP", "GPG", ",,,", "ZZ",
  ])
  func unknown(content: String) throws {
    let decoding = Decoding(sentence: content)
    #expect(decoding.counters.validNMEA == 1 && decoding.counters.unknown == 1 && decoding.counters.malformed == 0)
    guard decoding.messages.count == 1, case .nmea(.unknown, _) = decoding.messages[0] else { throw Missing.message }
  }

  /// An unknown type with more fields than are kept stays unknown, and a known one stays known.
  @Test func unknownWithManyFields() {
    let decoding = Decoding(sentence: "PSTMDIFF" + String(repeating: ",1", count: 100))
    #expect(decoding.counters.unknown == 1 && decoding.counters.malformed == 0 && decoding.messages.count == 1)
  }
}

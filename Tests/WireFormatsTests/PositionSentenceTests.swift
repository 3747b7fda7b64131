import Geodesy
import Testing
import WireFormats

/// The sentences with a position, a motion or a time, as real receivers send them.
@Suite struct PositionSentenceTests {
  @Test func rmc() throws {
    guard
      case .rmc(let rmc)? = Decoding.nmea(
        "GNRMC,021417.00,A,3725.58362,N,12205.61915,W,0.028,65.13,070220,13.06,E,F,V")
    else { throw Missing.message }
    #expect(rmc.time == TimeOfDay(hour: 2, minute: 14, second: 17))
    #expect(rmc.date?.day == 7 && rmc.date?.month == 2 && rmc.date?.year == 20)
    #expect(rmc.isValid)
    #expect(rmc.latitudeNanodegrees == 37_426_393_667)
    #expect(rmc.longitudeNanodegrees == -122_093_652_500)
    #expect(rmc.speedMilliknots == 28)
    #expect(rmc.courseMillidegrees == 65_130)
    #expect(rmc.mode == .rtkFloat)
  }

  @Test func rmcWithoutFix() throws {
    guard case .rmc(let rmc)? = Decoding.nmea("GPRMC,,V,,,,,,,,,,N") else { throw Missing.message }
    #expect(!rmc.isValid && rmc.time == nil && rmc.date == nil && rmc.latitudeNanodegrees == nil)
    #expect(rmc.speedMilliknots == nil && rmc.courseMillidegrees == nil && rmc.mode == .invalid)
  }

  /// From a receiver with NMEA 0183 2.0, which has no mode.
  @Test func rmcOfOld() throws {
    guard case .rmc(let rmc)? = Decoding.nmea("GPRMC,123519,A,4807.038,S,01131.000,E,022.4,084.4,230394,003.1,W")
    else { throw Missing.message }
    #expect(rmc.latitudeNanodegrees == -48_117_300_000 && rmc.longitudeNanodegrees == 11_516_666_667)
    #expect(rmc.speedMilliknots == 22_400 && rmc.mode == nil && rmc.date?.year == 94)
  }

  @Test func leapSecondAndFractions() throws {
    guard case .rmc(let rmc)? = Decoding.nmea("GPRMC,235960.123456789,V,,,,,,,311216,,,N") else {
      throw Missing.message
    }
    #expect(rmc.time == TimeOfDay(hour: 23, minute: 59, second: 60, nanosecond: 123_456_789))
  }

  @Test func gga() throws {
    guard
      case .gga(let gga)? = Decoding.nmea("GNGGA,021417.00,3725.58362,N,12205.61915,W,5,12,0.76,4.4,M,-30.0,M,0.0,2000")
    else { throw Missing.message }
    #expect(gga.time == TimeOfDay(hour: 2, minute: 14, second: 17))
    #expect(gga.latitudeNanodegrees == 37_426_393_667 && gga.longitudeNanodegrees == -122_093_652_500)
    #expect(gga.quality == .rtkFloat && gga.satellitesUsed == 12 && gga.hdopHundredths == 76)
    #expect(gga.altitudeMillimeters == 4400 && gga.geoidSeparationMillimeters == -30_000)
  }

  @Test func ggaWithoutFix() throws {
    guard case .gga(let gga)? = Decoding.nmea("GPGGA,,,,,,0,00,99.99,,,,,,") else { throw Missing.message }
    #expect(gga.quality == .invalid && gga.satellitesUsed == 0 && gga.hdopHundredths == 9999)
    #expect(gga.latitudeNanodegrees == nil && gga.altitudeMillimeters == nil && gga.geoidSeparationMillimeters == nil)
  }

  @Test func gns() throws {
    guard
      case .gns(let gns)? = Decoding.nmea("GNGNS,103600.01,5114.51176,N,00012.29380,W,AADN,07,1.18,111.5,45.6,,,V")
    else { throw Missing.message }
    #expect(gns.time == TimeOfDay(hour: 10, minute: 36, second: 0, nanosecond: 10_000_000))
    #expect(gns.latitudeNanodegrees == 51_241_862_667 && gns.longitudeNanodegrees == -204_896_667)
    #expect(gns.mode == .differential && gns.satellitesUsed == 7 && gns.hdopHundredths == 118)
    #expect(gns.altitudeMillimeters == 111_500 && gns.geoidSeparationMillimeters == 45_600)
  }

  @Test(
    arguments: [
      ("NN", .invalid), ("AN", .autonomous), ("NE", .estimated), ("DF", .rtkFloat), ("RD", .rtkFixed), ("P", .precise),
    ] as [(String, PositionMode)])
  func modesOfGNS(letters: String, best: PositionMode) throws {
    guard
      case .gns(let gns)? = Decoding.nmea("GNGNS,103600.01,5114.51176,N,00012.29380,W,\(letters),07,1.18,111.5,45.6,,")
    else { throw Missing.message }
    #expect(gns.mode == best)
  }

  @Test func gll() throws {
    guard case .gll(let gll)? = Decoding.nmea("GNGLL,3725.58362,N,12205.61915,W,021417.00,A,F") else {
      throw Missing.message
    }
    #expect(gll.latitudeNanodegrees == 37_426_393_667 && gll.longitudeNanodegrees == -122_093_652_500)
    #expect(gll.time == TimeOfDay(hour: 2, minute: 14, second: 17) && gll.isValid && gll.mode == .rtkFloat)
    guard case .gll(let old)? = Decoding.nmea("GPGLL,,,,,021417,V") else { throw Missing.message }
    #expect(!old.isValid && old.latitudeNanodegrees == nil && old.mode == nil)
  }

  @Test func vtg() throws {
    guard case .vtg(let vtg)? = Decoding.nmea("GNVTG,65.13,T,52.07,M,0.028,N,0.053,K,D") else { throw Missing.message }
    #expect(vtg.courseMillidegrees == 65_130 && vtg.speedMilliknots == 28 && vtg.mode == .differential)
    guard case .vtg(let still)? = Decoding.nmea("GNVTG,,T,,M,0.028,N,0.053,K,D") else { throw Missing.message }
    #expect(still.courseMillidegrees == nil && still.speedMilliknots == 28)
    guard case .vtg(let old)? = Decoding.nmea("GPVTG,054.7,034.4,005.5,010.2") else { throw Missing.message }
    #expect(old.courseMillidegrees == 54_700 && old.speedMilliknots == 5500 && old.mode == nil)
  }

  /// Navico GoFree sends two digits of the year; no receiver sends a year before the beginning of GPS time.
  @Test(
    arguments: [
      ("14", 2014), ("99", 1999), ("80", 1980), ("2026", 2026), ("1980", 1980), ("1979", nil), ("114", nil),
      ("1914", nil), ("2080", nil), ("9999", nil),
    ] as [(String, Int?)])
  func theYearOfZDA(reported: String, year: Int?) throws {
    guard case .zda(let zda)? = Decoding.nmea("GPZDA,195719,16,04,\(reported),-02,00") else { throw Missing.message }
    #expect(zda.time == TimeOfDay(hour: 19, minute: 57, second: 19))
    #expect(zda.date == year.flatMap { CalendarDate(year: $0, month: 4, day: 16) })
  }

  /// NMEA 0183 4.11, section 8.3.27.
  @Test func dtm() throws {
    guard case .dtm(let dtm)? = Decoding.nmea("GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84") else { throw Missing.message }
    #expect(dtm.local == .other && dtm.reference == .wgs84)
    #expect(dtm.latitudeOffsetNanodegrees == 1_333_333 && dtm.longitudeOffsetNanodegrees == 1_166_667)
    guard case .dtm(let south)? = Decoding.nmea("GPDTM,EUR,,0.0575,S,0.0880,W,,W72") else { throw Missing.message }
    #expect(south.local == .other && south.reference == .wgs72)
    #expect(south.latitudeOffsetNanodegrees == -958_333 && south.longitudeOffsetNanodegrees == -1_466_667)
    guard case .dtm(let plain)? = Decoding.nmea("GPDTM,W84,,0.0,N,0.0,E,0.0,W84") else { throw Missing.message }
    #expect(plain.local == .wgs84 && plain.latitudeOffsetNanodegrees == 0 && plain.longitudeOffsetNanodegrees == 0)
    guard case .dtm(let none)? = Decoding.nmea("GPDTM,,,,,,,,") else { throw Missing.message }
    #expect(none.local == nil && none.latitudeOffsetNanodegrees == nil && none.reference == nil)
  }

  @Test func zda() throws {
    guard case .zda(let zda)? = Decoding.nmea("GPZDA,082710.00,16,09,2002,00,00") else { throw Missing.message }
    #expect(
      zda.time == TimeOfDay(hour: 8, minute: 27, second: 10) && zda.date == CalendarDate(year: 2002, month: 9, day: 16))
    guard case .zda(let none)? = Decoding.nmea("GPZDA,,,,,00,00") else { throw Missing.message }
    #expect(none.time == nil && none.date == nil)
  }

  @Test(
    arguments: [
      ("0000.0000,N,00000.0000,E", 0, 0), ("9000.0000,S,18000.0000,W", -90_000_000_000, -180_000_000_000),
      ("0000,N,00000,E", 0, 0), ("3725.5836217,N,12205.6191501,W", 37_426_393_695, -122_093_652_502),
      ("8959.999999999,N,17959.999999999,E", 90_000_000_000, 180_000_000_000),
    ] as [(String, Int64, Int64)])
  func coordinates(fields: String, latitude: Int64, longitude: Int64) throws {
    guard case .gll(let gll)? = Decoding.nmea("GPGLL,\(fields),021417,A") else { throw Missing.message }
    #expect(gll.latitudeNanodegrees == latitude && gll.longitudeNanodegrees == longitude)
  }

  @Test(
    arguments: [
      ("GP", .gps), ("GN", .combined), ("GL", .glonass), ("GA", .galileo), ("GB", .beidou), ("BD", .beidou),
      ("PQ", .beidou),
      ("GQ", .qzss), ("QZ", .qzss), ("GI", .navic), ("II", .other),
    ] as [(String, Talker)])
  func talkers(letters: String, talker: Talker) throws {
    let decoding = Decoding(sentence: "\(letters)GGA,,,,,,0,00,99.99,,,,,,")
    guard case .nmea(.gga, let reported)? = decoding.messages.first else { throw Missing.message }
    #expect(reported == talker)
  }

  /// Without a fix, some receivers send an impossible position: the status that there is no fix counts.
  @Test(arguments: ["8960.000000,N,00000.000000,E", "36000.0000,N,72000.0000,E", ",,,"])
  func placeOfNoFix(place: String) throws {
    guard case .rmc(let rmc)? = Decoding.nmea("GPRMC,235946.005,V,\(place),0.000,0.00,050180,,,N") else {
      throw Missing.message
    }
    #expect(!rmc.isValid && rmc.time?.hour == 23 && rmc.latitudeNanodegrees == nil && rmc.longitudeNanodegrees == nil)
  }

  /// The SiRF Atlas VI has a dilution after the station, or an empty field.
  @Test(arguments: ["4.9", ""]) func ggaWithADilutionAtItsEnd(last: String) throws {
    guard
      case .gga(let gga)? = Decoding.nmea(
        "GNGGA,074155.799,3114.8770,N,12135.2463,E,1,05,1.3,156.9,M,8.3,M,,0000,\(last)")
    else { throw Missing.message }
    #expect(gga.quality == .autonomous && gga.satellitesUsed == 5 && gga.altitudeMillimeters == 156_900)
  }
}

/// An expected message did not come.
enum Missing: Error { case message }

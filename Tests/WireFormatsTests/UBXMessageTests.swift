import Geodesy
import Testing
import WireFormats

/// UBX messages in which every decoded field has a different value.
@Suite struct UBXMessageTests {
  @Test func navPVT() throws {
    guard case .navPVT(let pvt)? = Decoding.ubx(0x01, 0x07, UBXSample.navPVT)?.first else { throw Missing.message }
    #expect(pvt.timeOfWeekMilliseconds == 440_075_000)
    #expect(
      pvt.date == CalendarDate(year: 2020, month: 2, day: 7) && pvt.time == TimeOfDay(hour: 2, minute: 14, second: 17))
    #expect(pvt.nanoseconds == -123_456 && pvt.isDateValid && pvt.isTimeValid && pvt.isFullyResolved)
    #expect(pvt.isTimeConfirmed == true && pvt.fixType == .three && pvt.isFixOK && pvt.isDifferential)
    #expect(pvt.carrier == .fixed && pvt.satellitesUsed == 17)
    #expect(pvt.longitudeE7 == -1_220_936_525 && pvt.latitudeE7 == 374_263_937)
    #expect(pvt.heightMillimeters == -25_600 && pvt.meanSeaLevelMillimeters == 4400)
    #expect(pvt.horizontalAccuracyMillimeters == 312 && pvt.verticalAccuracyMillimeters == 456)
    #expect(pvt.speedMillimetersPerSecond == 224 && pvt.courseE5 == 29_656_504)
    #expect(pvt.speedAccuracyMillimetersPerSecond == 71 && pvt.courseAccuracyE5 == 150_000)
    #expect(pvt.pdopHundredths == 148 && !pvt.isPositionInvalid)
  }

  @Test func flagsOfNavPVT() throws {
    func pvt(_ change: (inout [UInt8]) -> Void) throws -> NavPVT {
      var payload = UBXSample.navPVT
      change(&payload)
      guard case .navPVT(let pvt)? = Decoding.ubx(0x01, 0x07, payload)?.first else { throw Missing.message }
      return pvt
    }
    #expect(try pvt { $0[11] = 1 }.isDateValid && !pvt { $0[11] = 1 }.isTimeValid)
    #expect(try pvt { $0[11] = 4 }.isFullyResolved && !pvt { $0[11] = 3 }.isFullyResolved)
    #expect(try pvt { $0[21] = 0x40 }.carrier == .float && pvt { $0[21] = 0xC0 }.carrier == .none)
    #expect(try !pvt { $0[21] = 0xFE }.isFixOK)
    #expect(try pvt { $0[22] = 0 }.isTimeConfirmed == nil && pvt { $0[22] = 0xA0 }.isTimeConfirmed == false)
    #expect(try pvt { $0[78] = 1 }.isPositionInvalid)
    #expect(try pvt { $0[6] = 13 }.date == nil && pvt { $0[8] = 24 }.time == nil)
    // Before the first fix, there is neither a date nor a time.
    #expect(try pvt { for index in 4..<12 { $0[index] = 0 } }.date == nil)
  }

  /// u-blox 7 sends eight bytes fewer, and has reserved bytes in place of `invalidLlh`.
  @Test func shortNavPVT() throws {
    var payload = Array(UBXSample.navPVT.prefix(84))
    payload[78] = 0xFF
    guard case .navPVT(let pvt)? = Decoding.ubx(0x01, 0x07, payload)?.first else { throw Missing.message }
    #expect(!pvt.isPositionInvalid && pvt.pdopHundredths == 148 && pvt.latitudeE7 == 374_263_937)
  }

  @Test func navSOL() throws {
    guard case .navSOL(let sol)? = Decoding.ubx(0x01, 0x06, UBXSample.navSOL)?.first else { throw Missing.message }
    #expect(sol.timeOfWeekMilliseconds == 440_075_000 && sol.week == 2091 && sol.fixType == .three)
    #expect(sol.isFixOK && sol.isDifferential && sol.isWeekValid && sol.isTimeOfWeekValid)
    #expect(sol.pdopHundredths == 148 && sol.satellitesUsed == 9)
    #expect(sol.xCentimeters == 1 && sol.yCentimeters == 2 && sol.zCentimeters == 3 && sol.accuracyCentimeters == 4)
  }

  @Test func navPOSECEF() throws {
    guard case .navPOSECEF(let position)? = Decoding.ubx(0x01, 0x01, UBXSample.navPOSECEF)?.first else {
      throw Missing.message
    }
    #expect(position.timeOfWeekMilliseconds == 440_075_000)
    #expect(position.xCentimeters == -269_675_708 && position.yCentimeters == 374_263_937)
    #expect(position.zCentimeters == 402_627_584 && position.accuracyCentimeters == 312)
  }

  @Test func navPOSLLH() throws {
    guard case .navPOSLLH(let position)? = Decoding.ubx(0x01, 0x02, UBXSample.navPOSLLH)?.first else {
      throw Missing.message
    }
    #expect(position.timeOfWeekMilliseconds == 440_075_000)
    #expect(position.longitudeE7 == -1_220_936_525 && position.latitudeE7 == 374_263_937)
    #expect(position.heightMillimeters == -25_600 && position.meanSeaLevelMillimeters == 4400)
    #expect(position.horizontalAccuracyMillimeters == 312 && position.verticalAccuracyMillimeters == 456)
  }

  @Test func navHPPOSLLH() throws {
    guard case .navPOSLLH(let position)? = Decoding.ubx(0x01, 0x14, UBXSample.navHPPOSLLH)?.first else {
      throw Missing.message
    }
    #expect(position.isHighPrecision && position.timeOfWeekMilliseconds == 440_075_000)
    #expect(position.longitudeE7 == -1_220_936_525 && position.longitudeRestE9 == -25)
    #expect(position.latitudeE7 == 374_263_937 && position.latitudeRestE9 == 42)
    #expect(position.heightMillimeters == -25_600 && position.meanSeaLevelMillimeters == 4400)
    #expect(position.horizontalAccuracyMillimeters == 15 && position.verticalAccuracyMillimeters == 26)
    var invalid = UBXSample.navHPPOSLLH
    invalid[3] = 1
    #expect(Decoding.ubx(0x01, 0x14, invalid) == nil)
  }

  @Test func hnrPVT() throws {
    guard case .navPVT(let pvt)? = Decoding.ubx(0x28, 0x00, UBXSample.hnrPVT)?.first else { throw Missing.message }
    #expect(pvt.timeOfWeekMilliseconds == 440_075_000 && pvt.date == CalendarDate(year: 2020, month: 2, day: 7))
    #expect(pvt.time == TimeOfDay(hour: 2, minute: 14, second: 17) && pvt.nanoseconds == -123_456)
    #expect(pvt.isDateValid && pvt.isTimeValid && pvt.isFullyResolved)
    #expect(pvt.fixType == .combined && pvt.isFixOK && pvt.isDifferential && pvt.satellitesUsed == nil)
    #expect(pvt.longitudeE7 == -1_220_936_525 && pvt.latitudeE7 == 374_263_937)
    #expect(pvt.heightMillimeters == -25_600 && pvt.meanSeaLevelMillimeters == 4400)
    #expect(pvt.speedMillimetersPerSecond == 224 && pvt.courseE5 == 29_656_504)
    #expect(pvt.horizontalAccuracyMillimeters == 312 && pvt.verticalAccuracyMillimeters == 456)
    #expect(pvt.speedAccuracyMillimetersPerSecond == 71 && pvt.courseAccuracyE5 == 150_000)
  }

  @Test func navVELNED() throws {
    guard case .navVELNED(let velocity)? = Decoding.ubx(0x01, 0x12, UBXSample.navVELNED)?.first else {
      throw Missing.message
    }
    #expect(velocity.speedCentimetersPerSecond == 224 && velocity.courseE5 == 29_656_504)
    #expect(velocity.speedAccuracyCentimetersPerSecond == 71 && velocity.courseAccuracyE5 == 150_000)
  }

  @Test func navTIMEUTC() throws {
    guard case .navTIMEUTC(let time)? = Decoding.ubx(0x01, 0x21, UBXSample.navTIMEUTC)?.first else {
      throw Missing.message
    }
    #expect(time.accuracyNanoseconds == 25 && time.nanoseconds == -123_456 && time.isUTCValid)
    #expect(
      time.date == CalendarDate(year: 2020, month: 2, day: 7) && time.time == TimeOfDay(hour: 2, minute: 14, second: 17)
    )
    var payload = UBXSample.navTIMEUTC
    payload[19] = 3
    guard case .navTIMEUTC(let early)? = Decoding.ubx(0x01, 0x21, payload)?.first else { throw Missing.message }
    #expect(!early.isUTCValid)
  }

  @Test func navSVINFO() throws {
    let messages = Decoding.ubx(0x01, 0x30, UBXSample.navSVINFO)
    guard messages?.count == 3, case .navSVINFO(let list)? = messages?[0],
      case .navSatellite(let first)? = messages?[1],
      case .navSatellite(let second)? = messages?[2]
    else { throw Missing.message }
    #expect(list.count == 2 && list.timeOfWeekMilliseconds == 440_075_000)
    #expect(first.id == SatelliteID(.gps, 17) && first.isUsed && first.signalDecibelHertz == 46)
    #expect(first.elevationDegrees == 52 && first.azimuthDegrees == 40)
    #expect(second.id == SatelliteID(.beidou, 6) && !second.isUsed && second.signalDecibelHertz == 0)
    #expect(second.elevationDegrees == -3 && second.azimuthDegrees == 301)
  }

  /// UBX-13003221, appendix A.
  @Test(
    arguments: [
      (1, SatelliteID(.gps, 1)), (32, SatelliteID(.gps, 32)), (33, SatelliteID(.beidou, 6)),
      (64, SatelliteID(.beidou, 37)),
      (65, SatelliteID(.glonass, 1)), (96, SatelliteID(.glonass, 32)), (120, SatelliteID(.sbas, 120)),
      (158, SatelliteID(.sbas, 158)),
      (159, SatelliteID(.beidou, 1)), (163, SatelliteID(.beidou, 5)), (173, SatelliteID(.imes, 1)),
      (182, SatelliteID(.imes, 10)),
      (193, SatelliteID(.qzss, 1)), (202, SatelliteID(.qzss, 10)), (211, SatelliteID(.galileo, 1)),
      (246, SatelliteID(.galileo, 36)),
      (0, nil), (97, nil), (119, nil), (255, nil),
    ] as [(UInt8, SatelliteID?)])
  func numbersOfSVINFO(number: UInt8, id: SatelliteID?) throws {
    var payload = UBXSample.navSVINFO
    payload[9] = number
    guard case .navSatellite(let satellite)? = Decoding.ubx(0x01, 0x30, payload)?[1] else { throw Missing.message }
    #expect(satellite.id == id)
  }

  @Test func navSAT() throws {
    let messages = Decoding.ubx(0x01, 0x35, UBXSample.navSAT)
    guard messages?.count == 3, case .navSAT(let list)? = messages?[0], case .navSatellite(let first)? = messages?[1],
      case .navSatellite(let second)? = messages?[2]
    else { throw Missing.message }
    #expect(list.count == 2 && list.timeOfWeekMilliseconds == 440_075_000)
    #expect(first.id == SatelliteID(.gps, 17) && first.isUsed && first.signalDecibelHertz == 46)
    #expect(first.elevationDegrees == 52 && first.azimuthDegrees == 40)
    // A GLONASS satellite whose slot is not known yet has the number 255.
    #expect(second.id == nil && !second.isUsed && second.signalDecibelHertz == 21 && second.elevationDegrees == -91)
  }

  /// Flags of one satellite: NAV-SAT has two bits for its health, NAV-SVINFO has a flag for unhealthy.
  @Test(arguments: [(UInt32(0x00), nil), (0x10, true), (0x20, false), (0x30, nil)] as [(UInt32, Bool?)])
  func healthIsTold(flags: UInt32, isHealthy: Bool?) throws {
    var payload = UBXSample.navSAT
    payload[16] = UInt8(flags)
    guard case .navSatellite(let satellite)? = Decoding.ubx(0x01, 0x35, payload)?[1] else { throw Missing.message }
    #expect(satellite.isHealthy == isHealthy)
    var old = UBXSample.navSVINFO
    old[10] = UInt8(flags)
    guard case .navSatellite(let former)? = Decoding.ubx(0x01, 0x30, old)?[1] else { throw Missing.message }
    #expect(former.isHealthy == (flags & 0x10 != 0 ? false : nil))
  }

  @Test func navSATOfManyAndNone() {
    #expect(Decoding.ubx(0x01, 0x35, UBXSample.satellites(0))?.count == 1)
    #expect(Decoding.ubx(0x01, 0x35, UBXSample.satellites(255))?.count == 256)
  }

  @Test func navDOP() throws {
    guard case .navDOP(let dop)? = Decoding.ubx(0x01, 0x04, UBXSample.navDOP)?.first else { throw Missing.message }
    #expect(dop.pdopHundredths == 148 && dop.vdopHundredths == 127 && dop.hdopHundredths == 76)
  }

  @Test func navSTATUS() throws {
    guard case .navSTATUS(let status)? = Decoding.ubx(0x01, 0x03, UBXSample.navSTATUS)?.first else {
      throw Missing.message
    }
    #expect(status.fixType == .three && status.isFixOK && status.isDifferential && status.isSpoofingIndicated)
    #expect(status.timeToFirstFixMilliseconds == 24_813)
    for (flags, isIndicated) in [(0x00, false), (0x08, false), (0x10, true), (0x18, true), (0xE7, false)]
      as [(UInt8, Bool)]
    {
      var payload = UBXSample.navSTATUS
      payload[7] = flags
      guard case .navSTATUS(let status)? = Decoding.ubx(0x01, 0x03, payload)?.first else { throw Missing.message }
      #expect(status.isSpoofingIndicated == isIndicated)
    }
  }

  @Test func navCOV() throws {
    guard case .navCOV(let covariance)? = Decoding.ubx(0x01, 0x36, UBXSample.navCOV)?.first else {
      throw Missing.message
    }
    #expect(covariance.isPositionValid && covariance.isVelocityValid)
    #expect(covariance.positionNorthNorth == 0.25 && covariance.positionNorthEast == -0.125)
    #expect(covariance.positionEastEast == 0.5 && covariance.positionDownDown == 2.25)
  }

  @Test func navEOE() throws {
    guard case .navEOE(let time)? = Decoding.ubx(0x01, 0x61, UBXSample.navEOE)?.first else { throw Missing.message }
    #expect(time == 440_075_000)
  }

  @Test func navTIMELS() throws {
    guard case .navTIMELS(let leap)? = Decoding.ubx(0x01, 0x26, UBXSample.navTIMELS)?.first else {
      throw Missing.message
    }
    #expect(leap.leapSeconds == 18 && !leap.isDefault)
    #expect(leap.changeSource == .gps && leap.change == 0 && leap.secondsToChange == -98_319_599)
    var payload = UBXSample.navTIMELS
    payload[8] = 0
    payload[23] = 0
    guard case .navTIMELS(let unknown)? = Decoding.ubx(0x01, 0x26, payload)?.first else { throw Missing.message }
    #expect(unknown.leapSeconds == nil && unknown.isDefault && unknown.secondsToChange == nil)
  }

  @Test func leapSecondOfNavTIMELS() throws {
    func leap(source: UInt8, change: UInt8, seconds: UInt8) throws -> NavTIMELS {
      var payload = UBXSample.navTIMELS
      payload.replaceSubrange(10..<16, with: [source, change, seconds, 0, 0, 0])
      guard case .navTIMELS(let leap)? = Decoding.ubx(0x01, 0x26, payload)?.first else { throw Missing.message }
      return leap
    }
    let deleted = try leap(source: 5, change: 0xFF, seconds: 60)
    #expect(deleted.changeSource == .galileo && deleted.change == -1 && deleted.secondsToChange == 60)
    // A number that the document does not define.
    #expect(try leap(source: 200, change: 1, seconds: 1).changeSource == .none)
    #expect(NavTIMELS.ChangeSource.allCases.filter(\.isConstellation) == [.gps, .beidou, .galileo, .glonass, .navic])
  }

  @Test func timTP() throws {
    guard case .timTP(let pulse)? = Decoding.ubx(0x0D, 0x01, UBXSample.timTP)?.first else { throw Missing.message }
    #expect(pulse.timeOfWeekMilliseconds == 440_076_000 && pulse.week == 2091 && pulse.isUTC)
    #expect(pulse.quantizationErrorPicoseconds == -4567)
    var payload = UBXSample.timTP
    payload[14] = 0x10
    guard case .timTP(let invalid)? = Decoding.ubx(0x0D, 0x01, payload)?.first else { throw Missing.message }
    #expect(invalid.quantizationErrorPicoseconds == nil && !invalid.isUTC)
  }

  @Test func monVER() throws {
    let messages = Decoding.ubx(0x0A, 0x04, UBXSample.monVER)
    guard messages?.count == 4, case .monVERSoftware(let software)? = messages?[0],
      case .monVERHardware(let hardware)? = messages?[1], case .monVERExtension(let first)? = messages?[2],
      case .monVERExtension(let second)? = messages?[3]
    else { throw Missing.message }
    #expect(software.string == "EXT CORE 1.00 (61b2dd)" && hardware.string == "00190000")
    #expect(first.string == "FWVER=HPG 1.12" && second.string == "PROTVER=27.11")
  }

  /// A device's own name appears in terminals and logs: no control characters, no Unicode tricks.
  @Test func hostileVersion() throws {
    var payload = UBXSample.monVER
    payload.replaceSubrange(0..<5, with: [0x1B, 0x5B, 0x32, 0x4A, 0xE2])
    guard case .monVERSoftware(let software)? = Decoding.ubx(0x0A, 0x04, payload)?.first else { throw Missing.message }
    #expect(software.string == "?[2J?ORE 1.00 (61b2dd)")
    let full = [UInt8](repeating: 0x41, count: 40)
    guard case .monVERSoftware(let filled)? = Decoding.ubx(0x0A, 0x04, full)?.first else { throw Missing.message }
    #expect(filled.string == String(repeating: "A", count: 30))
  }

  @Test func secUNIQID() throws {
    guard case .secUNIQID(let id)? = Decoding.ubx(0x27, 0x03, [1, 0, 0, 0, 0x55, 0x44, 0x33, 0x22, 0x0A])?.first else {
      throw Missing.message
    }
    #expect(id.number == 0x55_4433_220A && id.byteCount == 5 && id.string == "554433220A")
    guard case .secUNIQID(let long)? = Decoding.ubx(0x27, 0x03, [2, 0, 0, 0, 0, 1, 2, 3, 4, 0xFF])?.first else {
      throw Missing.message
    }
    #expect(long.string == "0001020304FF")
  }

  @Test func acknowledgements() throws {
    guard case .acknowledgement(class: 6, id: 0x8A, isAccepted: true)? = Decoding.ubx(0x05, 0x01, [6, 0x8A])?.first,
      case .acknowledgement(class: 6, id: 0x8A, isAccepted: false)? = Decoding.ubx(0x05, 0x00, [6, 0x8A])?.first
    else { throw Missing.message }
  }

  @Test func unknown() throws {
    let decoding = Decoding(UBXFrame.encode(class: 0x02, id: 0x15, payload: [1, 2, 3]))
    guard case .ubx(.unknown(class: 0x02, id: 0x15))? = decoding.messages.first else { throw Missing.message }
    #expect(decoding.counters.unknown == 1 && decoding.counters.validUBX == 1 && decoding.counters.malformed == 0)
  }

  @Test func polls() {
    #expect(UBXFrame.poll(.monVER) == [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34])
    #expect(UBXFrame.poll(.navPVT) == [0xB5, 0x62, 0x01, 0x07, 0x00, 0x00, 0x08, 0x19])
    #expect(UBXFrame.poll(.navPOSLLH) == [0xB5, 0x62, 0x01, 0x02, 0x00, 0x00, 0x03, 0x0A])
    #expect(UBXFrame.poll(.secUNIQID) == [0xB5, 0x62, 0x27, 0x03, 0x00, 0x00, 0x2A, 0xA5])
  }
}

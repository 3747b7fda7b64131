import GNSSReceiver
import Geodesy
import Testing

/// What a receiver reports about its own quality, and what must not be concluded from it.
@Suite struct EvidenceTests {
  private let second = 36_000

  private func fix(_ sentences: String...) -> PositionFix? {
    var line = LineBench()
    for sentence in sentences { line.receive(sentence) }
    line.wait(1000)
    return line.fixes.first
  }

  private func isAbout(_ meters: Meters?, _ expected: Double) -> Bool {
    meters.map { abs($0.value - expected) < 0.01 } ?? false
  }

  @Test func anErrorOfZeroIsNotKnown() {
    let zeros = "\(LineBench.clock(second)).00,0.0,0.0,0.0,0.0,0.0,0.0,0.0"
    let gst = fix(LineBench.rmc(second), LineBench.gga(second), "GPGST,\(zeros)")
    #expect(isAbout(gst?.horizontalRadius68, 4.6))
    #expect((gst?.verticalRadius68?.value ?? 0) > 3)
    let position = "\(LineBench.clock(second)).00,\(LineBench.position)"
    let pubx = fix(LineBench.rmc(second), "PUBX,00,\(position),546.589,G3,0,0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0")
    #expect(isAbout(pubx?.horizontalRadius68, 0.92 * 4.6))
    #expect((pubx?.verticalRadius68?.value ?? 0) > 3)
    let garmin = fix(LineBench.rmc(second), LineBench.gga(second), "PGRME,0.0,M,0.0,M,0.0,M")
    #expect(isAbout(garmin?.horizontalRadius68, 4.6))
  }

  /// A phone's own radius replaces the one from the dilution, and is not believed below a meter.
  @Test func aPhoneReportsItsRadius() {
    let phone = fix(LineBench.rmc(second), LineBench.gga(second), "GNACCURACY,12.5")
    #expect(isAbout(phone?.horizontalRadius68, 12.5))
    #expect(isAbout(fix(LineBench.rmc(second), LineBench.gga(second), "GNACCURACY,0.1")?.horizontalRadius68, 1))
    #expect(isAbout(fix(LineBench.rmc(second), LineBench.gga(second), "GNACCURACY,0.0")?.horizontalRadius68, 4.6))
  }

  /// Dead reckoning does not become a real fix because it is two-dimensional.
  @Test func anEstimateStaysOne() {
    let rmc = LineBench.rmc(second, mode: "E")
    let gga = LineBench.gga(second, quality: 6, dilution: "2.0")
    let plain = fix(rmc, gga)
    let flat = fix(rmc, gga, "GPGSA,A,2,,,,,,,,,,,,,2.0,2.0,2.0")
    #expect(isAbout(plain?.horizontalRadius68, 40))
    #expect(isAbout(flat?.horizontalRadius68, 40))
  }

  @Test func whatWasTypedInIsNoFixOfSatellites() {
    let manual = fix(LineBench.rmc(second, mode: "M"), LineBench.gga(second, quality: 7, satellites: "00"))
    #expect(manual?.kind == .estimated)
    #expect(isAbout(manual?.horizontalRadius68, 20))
  }

  /// Chips of phones mark what they computed from satellites as manual input. A dilution below 0.8 counts as 0.8.
  @Test func whatAPhoneCallsManualIsOfItsSatellites() {
    let phone = fix(
      LineBench.rmc(second, mode: "M"), LineBench.gga(second, quality: 7, satellites: "31", dilution: "0.38"))
    #expect(phone?.kind == .threeDimensional && phone?.horizontalRadiusBasis == .dilution)
    #expect(isAbout(phone?.horizontalRadius68, 0.8 * 4.6))
  }

  @Test func aSmallDilutionIsNotAccepted() {
    let corrected = fix(LineBench.rmc(second, mode: "D"), LineBench.gga(second, quality: 2, dilution: "0.41"))
    #expect(isAbout(corrected?.horizontalRadius68, 1.84))
    let reckoned = fix(LineBench.rmc(second, mode: "E"), LineBench.gga(second, quality: 6, dilution: "0.38"))
    #expect(isAbout(reckoned?.horizontalRadius68, 20))
  }

  @Test func ubloxsOwnSentenceReportsTheMotion() {
    let position = "\(LineBench.clock(second)).00,\(LineBench.position)"
    let fix = fix(
      "PUBX,04,\(LineBench.clock(second)).00,050626,113851.00,1196,18,1930035,-2660.664,43",
      "PUBX,00,\(position),546.589,G3,2.1,2.0,36.0,77.52,0.007,,0.92,1.19,0.77,9,0,0")
    #expect(fix?.speedMetersPerSecond.map { abs($0 - 10) < 0.001 } == true)
    #expect(fix?.course.map { abs($0.degrees - 77.52) < 0.001 } == true)
  }

  /// The height of a prompt fix has not arrived yet; the previous epoch was 3D, and so is this one.
  @Test func aPromptIsAsDeepAsTheEpochBefore() {
    var line = LineBench()
    for index in 0..<4 {
      line.receive(LineBench.rmc(second + index), LineBench.gga(second + index))
      line.wait(1000)
    }
    #expect(line.prompt.count >= 3)
    for epoch in line.prompt.dropFirst() {
      #expect(epoch.fix?.kind == .threeDimensional)
      #expect(isAbout(epoch.fix?.horizontalRadius68, 4.6))
    }
  }

  /// Version and identity are polled until they are reported, at most three times; values that come by themselves are never
  /// polled.
  @Test func aReceiverThatReportsItsAccuracyIsNotAskedForIt() {
    var line = LineBench {
      $0.mayPoll = true
      $0.isUblox = true
    }
    for index in 0..<20 {
      let hasFix = index >= 3
      line.receive(LineBench.pvt(second: second + index, hasFix: hasFix, accuracyMillimeters: hasFix ? 2000 : .max))
      line.wait(1000)
    }
    #expect(line.polls == 3)
  }

  @Test func aNumberThatIsInvalidEndsNothing() {
    var line = LineBench()
    for number in ["nan", "inf", "-inf", "1e999", "-1", "18.00"] { line.receive("GNTXT,01,01,02,PROTVER=\(number)") }
    let versions = line.said.compactMap { action in
      if case .identified(let identity) = action { identity.protocolVersionHundredths } else { nil }
    }
    #expect(versions == [1800])
  }

  /// RMC reports a valid fix, and GGA a moment later reports none: not even the prompt fix relies on the first sentence.
  @Test func whatIsTakenBackIsNoPromptFix() {
    var line = LineBench()
    for index in 0..<4 {
      line.receive("GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.0,2.0", LineBench.rmc(second + index))
      line.wait(50)
      line.receive(LineBench.gga(second + index, quality: 0))
      line.wait(950)
    }
    #expect(line.complete.count == 4 && line.fixes.isEmpty)
    #expect(line.prompt.count <= 1, "only the first can not know better")
  }

  @Test func theWorstDilutionIsTheWorstRadius() {
    let radii = ["20.0", "51.0", "99.9"].map { dilution in
      fix(LineBench.rmc(second), LineBench.gga(second, dilution: dilution))?.horizontalRadius68.value ?? 0
    }
    #expect(radii == radii.sorted() && radii[2] > 400)
    // Another sentence has better information.
    let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.0,2.0"
    #expect(isAbout(fix(LineBench.rmc(second), LineBench.gga(second, dilution: "99.99"), gsa)?.horizontalRadius68, 4.6))
  }

  /// Plotters send RMC, GLL and GGA in turn, each in a different second: the fixes nevertheless keep their dimensions, and their
  /// date is confirmed.
  @Test func sentencesInTurnAreAsDeepAsTheOneThatReports() {
    var line = LineBench()
    for index in 0..<8 {
      let isAlone = index % 2 == 1
      line.receive(LineBench.rmc(second + index))
      if !isAlone { line.receive(LineBench.gga(second + index)) }
      line.wait(1000)
    }
    #expect(line.fixes.count == 8 && line.fixes.allSatisfy { $0.kind == .threeDimensional })
    #expect(
      line.fixes.map { $0.heightAboveMeanSeaLevel != nil } == [true, false, true, false, true, false, true, false])
    #expect(line.fixes.last?.timeValidity == .confirmed)
    // A value that was reported too long ago is discarded.
    line.wait(5000)
    line.receive(LineBench.rmc(second + 13))
    line.wait(1000)
    #expect(line.fixes.last?.kind == .twoDimensional)
  }

  /// Of several sentences, the one with the most digits determines the position, and among equal ones the latest.
  @Test func theFinestDigitsReportThePlace() {
    let time = "\(LineBench.clock(second)).00"
    func nanodegrees(_ places: String...) -> Int? {
      var line = LineBench()
      for place in places { line.receive("GPGLL,\(place),E,\(time),A,A") }
      line.wait(1000)
      return line.fixes.first.map { Int(($0.coordinate.latitude.degrees * 1e9).rounded()) }
    }
    #expect(nanodegrees("4730.0000,N,00830.0000", "4730.06000,N,00830.00000") == 47_501_000_000)
    #expect(nanodegrees("4730.06000,N,00830.00000", "4730.0000,N,00830.0000") == 47_501_000_000)
    #expect(nanodegrees("4730.0000,N,00830.0000", "4730.0600,N,00830.0000") == 47_501_000_000)
  }

  @Test func threeSatellitesMakeNoHeight() {
    let position = "\(LineBench.clock(second)).00,\(LineBench.position)"
    let flat = fix(LineBench.rmc(second), "GPGGA,\(position),1,03,1.0,499.6,M,48.0,M,,")
    #expect(flat?.kind == .twoDimensional && flat?.heightAboveMeanSeaLevel == nil)
  }

  /// HEPE and VEPE of Qualcomm's modules apply to the fix of the same epoch.
  @Test func qualcommReportsItsErrors() {
    let clock = LineBench.clock(second)
    let fix = fix(
      LineBench.gga(second), "PQXFI,\(clock).0,\(LineBench.position),499.6,3.54,2.50,0.09", LineBench.rmc(second))
    #expect(isAbout(fix?.horizontalRadius68, 3.54 * 1.07) && isAbout(fix?.verticalRadius68, 2.5))
  }

  /// Trimble's proprietary sentence alone is a fix with its quality, and it has the most digits.
  @Test func trimbleReportsPlaceAndQuality() {
    let clock = LineBench.clock(second)
    let ggk = "PTNL,GGK,\(clock).00,051326,4717.11399512,N,00833.91590512,E,3,09,1.9,EHT547.600,M"
    let alone = fix(ggk)
    #expect(alone?.kind == .rtkFixed && alone?.satellitesUsed == 9)
    #expect(alone?.heightAboveEllipsoid == Meters(547.6))
    #expect(alone?.time.date == CalendarDate(year: 2026, month: 5, day: 13))
    let beside = fix(LineBench.gga(second, quality: 5), ggk)
    #expect(beside?.kind == .rtkFixed && beside?.heightAboveMeanSeaLevel == Meters(499.6))
    #expect(beside.map { abs($0.coordinate.latitude.degrees - (47 + 17.11399512 / 60)) < 1e-9 } == true)
    #expect(fix("PTNL,GGK,\(clock).00,051326,,,,,0,00,,,M") == nil)
  }

  /// GGA reports 12 satellites, GSV lists 8, GSA names 7 (in gpsd's recordings of a Quectel LC79D: 20, 16 and 11). The
  /// epoch keeps each count as received; the sky report for a client reconciles them.
  @Test func countsThatContradictEachOtherAreKept() {
    func sky(_ sentences: String...) -> [Int?] {
      var line = LineBench()
      for sentence in sentences { line.receive(sentence) }
      line.wait(1000)
      let epoch = line.complete.first
      return [epoch?.sky.inView, epoch?.sky.used, epoch?.fix?.satellitesUsed]
    }
    let gga = "GPGGA,\(LineBench.clock(second)).00,\(LineBench.position),1,12,1.0,499.6,M,48.0,M,,"
    let first = "GPGSV,2,1,08,01,40,083,46,02,17,308,41,03,07,344,39,04,22,228,45"
    let last = "GPGSV,2,2,08,05,40,083,46,06,17,308,41,07,07,344,39,08,22,228,45"
    let gsa = "GPGSA,A,3,01,02,03,04,05,06,07,,,,,,2.0,1.0,2.0"
    #expect(sky(LineBench.rmc(second), gga, gsa, first, last) == [8, 12, 12])
    #expect(sky(LineBench.rmc(second), gsa, first, last) == [8, 7, 7])
    // The rest of the list may follow in another epoch.
    #expect(sky(LineBench.rmc(second), gga, first) == [4, 12, 12])
    #expect(sky(LineBench.rmc(second), gga) == [nil, 12, 12])
  }
}

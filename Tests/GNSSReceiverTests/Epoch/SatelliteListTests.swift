import GNSSReceiver
import Geodesy
import Testing
import WireFormats

/// Which satellites an epoch reports, and with which values.
@Suite struct SatelliteListTests {
  private static let gps = "GPGSV,1,1,04,05,40,083,46,12,,,30,13,-7,209,,31,89,360,44"
  private static let glonass = "GLGSV,1,1,01,73,22,031,33"

  /// The last epoch of a receiver that sends the same every second, completed by the silence after it.
  private func epoch(_ sentences: (Int) -> [String]) -> GNSSEpoch? {
    var bench = LineBench()
    for second in 10..<13 {
      for sentence in sentences(second) { bench.receive(NMEASentence.encode(sentence)) }
      bench.wait(1000)
    }
    return bench.complete.last
  }

  private func satellite(_ epoch: GNSSEpoch?, _ id: SatelliteID) throws -> SatelliteObservation {
    try #require(epoch?.satellites?.first { $0.id == id })
  }

  @Test func nmeaReportsWhereTheyStandAndWhichAreUsed() throws {
    let epoch = epoch {
      [LineBench.rmc($0), LineBench.gga($0), "GPGSA,A,3,05,31,,,,,,,,,,,2.1,1.1,1.8", Self.gps, Self.glonass]
    }
    #expect(epoch?.satellites?.count == 5)
    #expect(
      try satellite(epoch, SatelliteID(.gps, 5))
        == SatelliteObservation(
          id: SatelliteID(.gps, 5), elevationDegrees: 40, azimuthDegrees: 83, signalDecibelHertz: 46, isUsed: true))
    #expect(
      try satellite(epoch, SatelliteID(.gps, 12))
        == SatelliteObservation(id: SatelliteID(.gps, 12), signalDecibelHertz: 30, isUsed: false))
    // Below the horizon, and not received.
    let low = try satellite(epoch, SatelliteID(.gps, 13))
    #expect(low.elevationDegrees == -7 && low.signalDecibelHertz == nil)
    #expect(try satellite(epoch, SatelliteID(.glonass, 9)).isUsed == false)
    #expect(epoch?.fix?.hdop == 1.0)
    #expect(epoch?.sky.hdop == 1.0 && epoch?.sky.vdop == 1.8 && epoch?.sky.pdop == 2.1)
  }

  @Test func withoutAListOfThoseUsedNoOneKnows() throws {
    let epoch = epoch { [LineBench.rmc($0), LineBench.gga($0), Self.gps] }
    #expect(epoch?.satellites?.map(\.isUsed) == [nil, nil, nil, nil])
  }

  /// A number that belongs to no scheme may be that of any satellite that is not named.
  @Test func aNumberThatNoOneKnowsMakesTheOthersUncertain() throws {
    let epoch = epoch { [LineBench.rmc($0), LineBench.gga($0), "GNGSA,A,3,05,250,,,,,,,,,,,2.1,1.1,1.8", Self.gps] }
    #expect(try satellite(epoch, SatelliteID(.gps, 5)).isUsed == true)
    #expect(try satellite(epoch, SatelliteID(.gps, 12)).isUsed == nil)
  }

  /// NMEA 4.11 numbers each system from 1, and lists each signal separately.
  @Test func systemsAndSignalsAreDistinguished() throws {
    let epoch = epoch {
      [
        LineBench.rmc($0), LineBench.gga($0), "GNGSA,A,3,05,,,,,,,,,,,,2.1,1.1,1.8,3",
        "GPGSV,1,1,01,05,40,083,46,1", "GPGSV,1,1,01,05,40,083,41,8", "GAGSV,1,1,01,05,20,183,36,7",
      ]
    }
    let satellites = try #require(epoch?.satellites)
    #expect(satellites.map(\.id.constellation) == [.gps, .gps, .galileo])
    #expect(satellites.map(\.signalName) == ["L1 C/A", "L5-Q", "E1-BC"])
    #expect(satellites.map(\.isUsed) == [false, false, true])
    #expect(epoch?.sky.inView == 2)
  }

  /// To place an antenna, the list is also reported without a fix, and then without dilutions.
  @Test func withoutAFixTheyAreReportedToo() throws {
    let epoch = try #require(
      epoch {
        let time = LineBench.clock($0)
        return [
          "GPRMC,\(time).00,V,,,,,,,050626,,,N", "GPGGA,\(time).00,,,,,0,00,99.99,,,,,,",
          "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99", Self.gps,
        ]
      })
    #expect(epoch.fix == nil)
    #expect(epoch.satellites?.count == 4)
    #expect(epoch.satellites?.contains { $0.isUsed != false } == false)
    #expect(epoch.sky.hdop == nil && epoch.sky.vdop == nil && epoch.sky.pdop == nil)
    #expect(epoch.time?.date == CalendarDate(year: 2026, month: 6, day: 5))
    #expect(epoch.timeValidity == .dateUnconfirmed)
  }

  /// NAV-SAT may come less often than the position: an epoch without it has no list, rather than an empty one. By then the
  /// session has learned that the position ends the epoch, so that the list belongs to the next epoch, and the session keeps that
  /// end.
  @Test func aListMayComeNowAndThen() {
    var bench = LineBench()
    for second in 10..<16 {
      bench.receive(LineBench.pvt(second: second))
      if second.isMultiple(of: 3) {
        bench.receive(Self.sat(second: second, [(0, 5, 46, 40, 83, 0x18), (2, 1, 0, -91, 0, 0x20)]))
      }
      bench.wait(1000)
    }
    #expect(bench.complete.map { $0.satellites?.count } == [nil, nil, nil, 2, nil, nil])
    #expect(
      bench.complete[3].satellites == [
        SatelliteObservation(
          id: SatelliteID(.gps, 5), elevationDegrees: 40, azimuthDegrees: 83, signalDecibelHertz: 46, isUsed: true,
          isHealthy: true),
        // The direction of this satellite is unknown.
        SatelliteObservation(id: SatelliteID(.galileo, 1), isUsed: false, isHealthy: false),
      ])
  }

  @Test func ubloxsOwnSentencesReportThem() throws {
    let epoch = epoch {
      [LineBench.rmc($0), LineBench.gga($0), "PUBX,03,02,23,-,,,45,010,29,U,198,25,44,064"]
    }
    #expect(
      epoch?.satellites == [
        SatelliteObservation(id: SatelliteID(.gps, 23), signalDecibelHertz: 45, isUsed: false),
        SatelliteObservation(
          id: SatelliteID(.gps, 29), elevationDegrees: 25, azimuthDegrees: 198, signalDecibelHertz: 44, isUsed: true),
      ])
  }

  /// However long a list is, the part that is kept is bounded.
  @Test func noListIsWithoutBounds() {
    var bench = LineBench()
    bench.receive(LineBench.rmc(10), LineBench.gga(10))
    for _ in 0..<200 { bench.receive(Self.gps) }
    bench.wait(1000)
    #expect(bench.complete.last?.satellites?.count == 256)
    #expect(bench.complete.last?.sky.inView == 4)
  }

  /// UBX-NAV-SAT: system, number, C/N0, elevation, azimuth, flags.
  private static func sat(second: Int, _ satellites: [(UInt8, UInt8, UInt8, Int8, Int16, UInt8)]) -> [UInt8] {
    let week = UInt32((5 * 86_400 + second + 18) * 1000)
    var payload =
      (0..<4).map { UInt8(truncatingIfNeeded: week >> UInt32(8 * $0)) } + [1, UInt8(satellites.count), 0, 0]
    for (system, number, signal, elevation, azimuth, flags) in satellites {
      payload += [system, number, signal, UInt8(bitPattern: elevation), UInt8(truncatingIfNeeded: azimuth)]
      payload += [UInt8(truncatingIfNeeded: azimuth >> 8), 0, 0, flags, 0, 0, 0]
    }
    return UBXFrame.encode(class: 0x01, id: 0x35, payload: payload)
  }
}

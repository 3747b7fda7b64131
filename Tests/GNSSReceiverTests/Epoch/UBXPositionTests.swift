import GNSSReceiver
import Geodesy
import Testing
import WireFormats

/// Receivers that report their position in other messages than NAV-PVT.
@Suite struct UBXPositionTests {
  private static func words(_ values: [Int32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> Int32(8 * $0)) } }
  }

  /// NAV-SOL in GPS week 1977 (26 November 2017), in Grenoble.
  private static func sol(_ timeOfWeek: Int32, fixType: UInt8 = 3, flags: UInt8 = 0xDD) -> [UInt8] {
    var payload = words([timeOfWeek, 0]) + [0xB9, 0x07, fixType, flags]
    payload += words([447_654_325, 45_528_013, 450_500_000, 250, 0, 0, 0, 20]) + [150, 0, 0, 8, 0, 0, 0, 0]
    return UBXFrame.encode(class: 0x01, id: 0x06, payload: Array(payload.prefix(52)))
  }

  private func epoch(_ frames: [UInt8]...) -> GNSSEpoch? {
    var line = LineBench {
      $0.mayPoll = false
      $0.eraFloor = nil
    }
    for frame in frames { line.receive(frame) }
    line.wait(1000)
    return line.complete.first
  }

  @Test func aReceiverThatReportsNavSOLAlone() throws {
    let fix = try #require(epoch(Self.sol(494_575_000))?.fix)
    // 1 December 2017, 17:22:37 UTC.
    #expect(fix.time == GNSSTime(nanosecondsSince1970: 1_512_148_957_000_000_000))
    let point = EarthCentered(xMeters: 4_476_543.25, yMeters: 455_280.13, zMeters: 4_505_000)
    let place = try #require(point.geodetic())
    #expect(abs(fix.coordinate.latitude.degrees - place.coordinate.latitude.degrees) < 1e-9)
    #expect(abs(fix.coordinate.longitude.degrees - place.coordinate.longitude.degrees) < 1e-9)
    #expect(abs((fix.heightAboveEllipsoid?.value ?? 0) - place.height.value) < 0.001)
    #expect(fix.kind == .threeDimensional && fix.satellitesUsed == 8)
    #expect((2.5...3).contains(fix.horizontalRadius68.value))
  }

  /// The receiver decides itself whether the solution is within its configured limits; a configured position is not measured.
  @Test func noFixOfNavSOL() {
    #expect(epoch(Self.sol(494_575_000, flags: 0xDC)).map { $0.fix == nil } == true)
    #expect(epoch(Self.sol(494_575_000, fixType: 5)).map { $0.fix == nil } == true)
  }

  /// NAV-HPPOSLLH contains the last digits, whether it comes before or after NAV-PVT.
  @Test(arguments: [false, true]) func theFinestDigitsWin(comesFirst: Bool) throws {
    let pvt = LineBench.pvt(second: 36_000)
    let timeOfWeek = Array(pvt[6..<10])
    var payload: [UInt8] = [0, 0, 0, 0] + timeOfWeek
    payload += Self.words([85_000_000, 473_036_000, 500_000, 452_000]) + [12, 0xF4, 0, 0] + Self.words([140, 250])
    let precise = UBXFrame.encode(class: 0x01, id: 0x14, payload: payload)
    let fix = try #require((comesFirst ? epoch(precise, pvt) : epoch(pvt, precise))?.fix)
    #expect(abs(fix.coordinate.longitude.degrees - 8.500000012) < 1e-10)
    #expect(abs(fix.coordinate.latitude.degrees - 47.303599988) < 1e-10)
  }

  /// NAV-POSECEF with NAV-STATUS: position, height and accuracy; NAV-POSECEF alone does not report whether there is a
  /// fix.
  @Test func aReceiverThatReportsNavPOSECEF() throws {
    let utc = LineBench.timeUTC(second: 36_000)
    let timeOfWeek = Array(utc[6..<10])
    let position = UBXFrame.encode(
      class: 0x01, id: 0x01, payload: timeOfWeek + Self.words([447_654_325, 45_528_013, 450_500_000, 250]))
    let status = UBXFrame.encode(
      class: 0x01, id: 0x03, payload: timeOfWeek + [3, 0xDD, 0, 0] + Self.words([0, 0]))
    let fix = try #require(epoch(utc, position, status)?.fix)
    let point = EarthCentered(xMeters: 4_476_543.25, yMeters: 455_280.13, zMeters: 4_505_000)
    let place = try #require(point.geodetic())
    #expect(abs(fix.coordinate.latitude.degrees - place.coordinate.latitude.degrees) < 1e-9)
    #expect(abs((fix.heightAboveEllipsoid?.value ?? 0) - place.height.value) < 0.001)
    #expect(abs(fix.horizontalRadius68.value - 2.5 * 1.07) < 0.001 && fix.kind == .threeDimensional)
    #expect(epoch(position) == nil)
    // NAV-PVT has more digits, and wins whichever message comes first.
    let pvt = LineBench.pvt(second: 36_000)
    let far = UBXFrame.encode(
      class: 0x01, id: 0x01, payload: Array(pvt[6..<10]) + Self.words([447_654_325, 45_528_013, 450_500_000, 1]))
    for fix in [epoch(far, pvt)?.fix, epoch(pvt, far)?.fix] {
      #expect(fix?.coordinate.longitude.degrees == 8.5)
    }
  }
}

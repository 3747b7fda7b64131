import Beacons
import Geodesy
import TestSupport
import Testing

@Suite struct RangingTests {
  private static let constraint = BeaconConstraint(uuid: AdvertisementTests.uuid)

  private func advertisement(minor: UInt16 = 1, power: Int8 = -59) throws -> BeaconAdvertisement {
    let identity = BeaconIdentity(uuid: AdvertisementTests.uuid, major: 1, minor: minor)
    let bytes = [0x1A, 0xFF] + identity.manufacturerData(powerAtOneMeter: power)
    let decoded = BeaconAdvertisement(bytes.span)
    return try #require(decoded)
  }

  private func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  /// The power of a beacon's packets: 22 dB per decade; shadows of 4 dB that last four seconds; fading with K = 3 (Rice); 30 % of
  /// the packets are lost.
  private struct Air {
    var random: SplitMix64
    var shadow: Double

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      shadow = 4 * random.nextNormal()
    }

    mutating func power(meters: Double, interval: Double) -> Int8? {
      let memory = Math.exp(-interval / 4)
      shadow = memory * shadow + 4 * (1 - memory * memory).squareRoot() * random.nextNormal()
      let direct = (3.0 / 4).squareRoot()
      let spread = (1.0 / 8).squareRoot()
      let fading = Math.hypot(direct + spread * random.nextNormal(), spread * random.nextNormal())
      guard Double.random(in: 0..<1, using: &random) >= 0.3 else { return nil }
      let decibels = -59 + (-22 * Math.log(meters) + 20 * Math.log(fading)) / Math.log(10) + shadow
      return Int8(clamping: Int(decibels.rounded()))
    }
  }

  /// The bounds of the issue: the right step in 95 % of the reports, and at 2 m at most two changes per minute.
  @Test(arguments: [
    (0.2, BeaconProximity.immediate, 10.0), (1, .near, 10), (6, .far, 10), (0.2, .immediate, 1), (1, .near, 1),
    (6, .far, 1), (2, .near, 10),
  ]) func steps(meters: Double, expected: BeaconProximity, rate: Double) throws {
    let beacon = try advertisement()
    var (right, reports, changes) = (0, 0, 0)
    for seed in 0..<10 as Range<UInt64> {
      var air = Air(seed: seed)
      var ranger = BeaconRanger()
      var last: BeaconProximity?
      _ = ranger.handle(.start(Self.constraint), at: instant(0))
      for packet in 1...Int(300 * rate) {
        let now = instant(Double(packet) / rate)
        if let power = air.power(meters: meters, interval: 1 / rate) {
          _ = ranger.handle(.packet(beacon, power: power), at: now)
        }
        for case .report(_, let beacons) in ranger.handle(.wake, at: now) {
          guard let proximity = beacons.first?.proximity else { continue }
          reports += 1
          if proximity == expected { right += 1 }
          if let last, last != proximity { changes += 1 }
          last = proximity
        }
      }
    }
    #expect(reports > 1500)
    if meters != 2 { #expect(Double(right) / Double(reports) >= 0.95) }
    #expect(Double(changes) / 50 <= 2)
  }

  @Test func aReportEverySecondAlsoWithoutBeacons() {
    var ranger = BeaconRanger()
    #expect(ranger.nextDeadline == nil)
    #expect(ranger.handle(.start(Self.constraint), at: instant(0)).isEmpty)
    #expect(ranger.nextDeadline == instant(1))
    #expect(ranger.handle(.wake, at: instant(0.5)).isEmpty)
    #expect(ranger.handle(.wake, at: instant(1)) == [.report(Self.constraint, [])])
    // After a suspend there is one report, not sixty.
    #expect(ranger.handle(.wake, at: instant(61)) == [.report(Self.constraint, [])])
    #expect(ranger.nextDeadline == instant(62))
    #expect(ranger.handle(.stop(Self.constraint), at: instant(61.5)).isEmpty)
    #expect(ranger.nextDeadline == nil)
  }

  @Test func aSilentBeaconLeavesTheListAfterTenSeconds() throws {
    var ranger = BeaconRanger()
    _ = ranger.handle(.start(Self.constraint), at: instant(0))
    _ = ranger.handle(.packet(try advertisement(), power: -59), at: instant(0.5))
    var lists: [[RangedBeacon]] = []
    for second in 1...11 {
      for case .report(_, let beacons) in ranger.handle(.wake, at: instant(Double(second))) { lists.append(beacons) }
    }
    #expect(lists.map(\.count) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
    let first = try #require(lists[0].first)
    #expect(first.meanPower == -59 && first.proximity == .near)
    #expect((try #require(first.distanceMeters) - 1).magnitude < 1e-9)
    let second = try #require(lists[1].first)
    #expect(second.meanPower == nil && second.distanceMeters == nil && second.proximity == nil)
  }

  @Test func theNearestIsFirst() throws {
    var ranger = BeaconRanger()
    _ = ranger.handle(.start(Self.constraint), at: instant(0))
    _ = ranger.handle(.packet(try advertisement(minor: 1), power: -80), at: instant(0.1))
    _ = ranger.handle(.packet(try advertisement(minor: 2), power: -50), at: instant(0.2))
    _ = ranger.handle(.packet(try advertisement(minor: 3), power: 127), at: instant(0.3))
    guard case .report(_, let beacons)? = ranger.handle(.wake, at: instant(1)).first else {
      Issue.record("no report")
      return
    }
    #expect(beacons.map(\.identity.minor) == [2, 1])
  }

  /// A transmitter that invents beacons cannot use more memory, nor displace one that sends all the time.
  @Test func memoryIsBounded() throws {
    var ranger = BeaconRanger()
    _ = ranger.handle(.start(Self.constraint), at: instant(0))
    for minor in 0..<2000 {
      let now = instant(Double(minor) / 10_000)
      _ = ranger.handle(.packet(try advertisement(minor: UInt16(minor)), power: -60), at: now)
      _ = ranger.handle(.packet(try advertisement(minor: 60_000), power: -60), at: now)
    }
    guard case .report(_, let beacons)? = ranger.handle(.wake, at: instant(1)).first else {
      Issue.record("no report")
      return
    }
    #expect(beacons.count == BeaconRanger.maximumBeacons)
    #expect(beacons.contains { $0.identity.minor == 60_000 })
    for number in 0..<100 as Range<UInt16> {
      _ = ranger.handle(.start(BeaconConstraint(uuid: AdvertisementTests.uuid, major: number)), at: instant(1))
    }
    #expect(ranger.ranged.count == BeaconRanger.maximumConstraints)
  }
}

import Beacons
import Geodesy
import Testing

@Suite struct MonitoringTests {
  private static let constraint = BeaconConstraint(uuid: AdvertisementTests.uuid)
  private let identity = AdvertisementTests.identity

  private func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  @Test func aSecondPacketIsTheEntry() {
    var monitor = BeaconMonitor()
    #expect(
      monitor.handle(.add("door", Self.constraint, wasInside: false), at: instant(0)) == [.listen(.low)])
    #expect(monitor.handle(.packet(identity), at: instant(100)) == [.listen(.full)])
    #expect(monitor.handle(.packet(identity), at: instant(100.4)) == [.entered("door", identity), .listen(.low)])
    #expect(monitor.isInside("door") == true)
  }

  @Test func aSinglePacketIsNotEnough() {
    var monitor = BeaconMonitor()
    _ = monitor.handle(.add("door", Self.constraint, wasInside: false), at: instant(0))
    #expect(monitor.handle(.packet(identity), at: instant(100)) == [.listen(.full)])
    #expect(monitor.nextDeadline == instant(105))
    #expect(monitor.handle(.wake, at: instant(105)) == [.listen(.low)])
    #expect(monitor.handle(.packet(identity), at: instant(110)) == [.listen(.full)])
    #expect(monitor.isInside("door") == false)
  }

  @Test func theExitComesThirtySecondsAfterTheLastPacket() {
    var monitor = BeaconMonitor()
    _ = monitor.handle(.add("door", Self.constraint, wasInside: true), at: instant(0))
    _ = monitor.handle(.packet(identity), at: instant(20))
    #expect(monitor.nextDeadline == instant(50))
    #expect(monitor.handle(.wake, at: instant(49.9)).isEmpty)
    #expect(monitor.handle(.wake, at: instant(50)) == [.exited("door")])
    #expect(monitor.nextDeadline == nil)
  }

  @Test func anUnknownStateBecomesKnownWithoutACrossing() {
    var monitor = BeaconMonitor()
    _ = monitor.handle(.add("door", Self.constraint), at: instant(0))
    #expect(monitor.isInside("door") == nil)
    #expect(monitor.handle(.wake, at: instant(30)) == [.determined("door", isInside: false)])
    _ = monitor.handle(.add("gate", Self.constraint), at: instant(40))
    _ = monitor.handle(.packet(identity), at: instant(41))
    let actions = monitor.handle(.packet(identity), at: instant(42))
    #expect(actions == [.entered("door", identity), .determined("gate", isInside: true), .listen(.low)])
  }

  /// An adapter that was unplugged: nothing is known about beacons, so nothing is reported; the time without it does not count.
  @Test func withoutARadioThereIsNoExit() {
    var monitor = BeaconMonitor()
    _ = monitor.handle(.add("door", Self.constraint, wasInside: true), at: instant(0))
    #expect(monitor.handle(.radio(isAvailable: false), at: instant(10)) == [.listen(.off)])
    #expect(monitor.nextDeadline == nil)
    #expect(monitor.handle(.wake, at: instant(100)).isEmpty)
    #expect(monitor.handle(.radio(isAvailable: true), at: instant(200)) == [.listen(.low)])
    #expect(monitor.handle(.wake, at: instant(229)).isEmpty)
    #expect(monitor.handle(.wake, at: instant(230)) == [.exited("door")])
  }

  @Test func otherBeaconsAndNames() {
    var monitor = BeaconMonitor()
    let other = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 1)
    _ = monitor.handle(.add("door", Self.constraint, wasInside: false), at: instant(0))
    #expect(monitor.handle(.packet(other), at: instant(1)).isEmpty)
    #expect(monitor.handle(.remove("door"), at: instant(2)) == [.listen(.off)])
    for number in 0..<30 {
      _ = monitor.handle(.add("\(number)", Self.constraint, wasInside: true), at: instant(3))
    }
    #expect(monitor.isInside("19") == true && monitor.isInside("20") == nil)
  }
}

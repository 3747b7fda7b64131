import Beacons
import Testing

@Suite struct AdvertisementTests {
  static let uuid = BeaconUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0)
  static let identity = BeaconIdentity(uuid: uuid, major: 1, minor: 0xBEEF)
  /// Flags, then an iBeacon: the packet of the Proximity Beacon Specification, with its own values.
  static let packet: [UInt8] =
    [0x02, 0x01, 0x06, 0x1A, 0xFF] + identity.manufacturerData(powerAtOneMeter: -59)

  private func decode(_ bytes: [UInt8]) -> BeaconAdvertisement? { BeaconAdvertisement(bytes.span) }

  @Test func anIBeacon() throws {
    let found = try #require(decode(Self.packet))
    #expect(found.identity == Self.identity && found.powerAtOneMeter == -59)
    #expect(Self.packet.count == 30)
    #expect(
      Self.packet[5...] == [
        0x4C, 0x00, 0x02, 0x15, 0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10,
        0x96, 0xE0, 0x00, 0x01, 0xBE, 0xEF, 0xC5,
      ])
  }

  @Test func anAltBeacon() throws {
    var bytes = Self.packet
    (bytes[3], bytes[5], bytes[6], bytes[7], bytes[8]) = (0x1B, 0x18, 0x01, 0xBE, 0xAC)
    bytes.append(0x00)
    let found = try #require(decode(bytes))
    #expect(found.identity.format == .altBeacon && found.identity.uuid == Self.uuid)
  }

  @Test func anEddystoneUID() throws {
    let namespace: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    let bytes: [UInt8] =
      [0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + namespace
      + [0xA1, 0xA2, 0x00, 0x07, 0x12, 0x34, 0, 0]
    let found = try #require(decode(bytes))
    #expect(found.identity.uuid == BeaconUUID(high: 0x0102_0304_0506_0708, low: 0x090A_A1A2_0000_0000))
    #expect(found.identity.major == 7 && found.identity.minor == 0x1234)
    // −18 dBm at the transmitter are −59 dBm at one meter.
    #expect(found.powerAtOneMeter == -59)
  }

  /// Powers that cheap beacons send without a measurement.
  @Test(arguments: [Int8(0), -128]) func aPowerThatWasNotMeasured(power: Int8) throws {
    let bytes = [0x1A, 0xFF] + Self.identity.manufacturerData(powerAtOneMeter: power)
    #expect(try #require(decode(bytes)).powerAtOneMeter == nil)
  }

  @Test func otherAdvertisements() {
    #expect(decode([]) == nil)
    #expect(decode([0x02, 0x01, 0x06]) == nil)
    // Data of another service of Apple, and of another company.
    #expect(decode([0x1A, 0xFF, 0x4C, 0x00, 0x10, 0x15] + [UInt8](repeating: 0, count: 21)) == nil)
    #expect(decode([0x1A, 0xFF, 0x4D, 0x00, 0x02, 0x15] + [UInt8](repeating: 0, count: 21)) == nil)
    // A length of zero ends the data.
    #expect(decode([0x00] + Self.packet) == nil)
  }

  /// Every truncation, and every length that exceeds the data.
  @Test func truncatedAdvertisements() {
    for count in 0..<Self.packet.count { #expect(decode(Array(Self.packet.prefix(count))) == nil) }
    var bytes = Self.packet
    bytes[3] = 0xFF
    #expect(decode(bytes) == nil)
  }

  @Test func constraints() {
    #expect(BeaconConstraint(uuid: Self.uuid).matches(Self.identity))
    #expect(BeaconConstraint(uuid: Self.uuid, major: 1).matches(Self.identity))
    #expect(!BeaconConstraint(uuid: Self.uuid, major: 2).matches(Self.identity))
    #expect(!BeaconConstraint(uuid: Self.uuid, major: 1, minor: 1).matches(Self.identity))
    #expect(BeaconConstraint(uuid: Self.uuid, minor: 1).matches(Self.identity))
    #expect(!BeaconConstraint(uuid: BeaconUUID(high: 1, low: 1)).matches(Self.identity))
  }
}

/// A beacon that was decoded from the advertisement of a Bluetooth Low Energy device.
package struct BeaconAdvertisement: Hashable, Sendable {
  /// What the beacon calls itself.
  package let identity: BeaconIdentity
  /// Received power at a distance of 1 m as the beacon states it, dBm; `nil` if its value is one that cheap beacons send without
  /// having measured it (0 and −128).
  package let powerAtOneMeter: Int8?

  /// The first beacon in the data of an advertisement (Bluetooth Core Specification 5.4, volume 3, part C, section 11: a sequence
  /// of length, type and data); `nil` if there is none, or if a length exceeds the data.
  package init?(_ data: Span<UInt8>) {
    var start = 0
    while start < data.count {
      let length = Int(data[start])
      // A length of zero ends the data early.
      guard length > 0, start + 1 + length <= data.count else { return nil }
      let element = data.extracting(start + 2..<start + 1 + length)
      switch data[start + 1] {
      case 0xFF:
        if let found = Self.manufacturer(element) {
          self = found
          return
        }
      case 0x16:
        if let found = Self.eddystone(element) {
          self = found
          return
        }
      default: break
      }
      start += 1 + length
    }
    return nil
  }

  private init(_ identity: BeaconIdentity, power: UInt8, atZeroMeters: Bool = false) {
    self.identity = identity
    // Over the first meter 41 dB are lost (Eddystone protocol specification, "Tx Power").
    let value = Int(Int8(bitPattern: power)) - (atZeroMeters ? 41 : 0)
    powerAtOneMeter = value == 0 || value <= -128 ? nil : Int8(clamping: value)
  }

  /// The data of a manufacturer: the form of iBeacons (Apple, Proximity Beacon Specification R1, section 3) and of AltBeacons
  /// (AltBeacon Protocol Specification 1.0).
  private static func manufacturer(_ data: Span<UInt8>) -> BeaconAdvertisement? {
    guard data.count >= 25 else { return nil }
    let isApple = data[0] == 0x4C && data[1] == 0x00 && data[2] == 0x02 && data[3] == 0x15
    let isAlternative = data[2] == 0xBE && data[3] == 0xAC && data.count >= 26
    guard isApple || isAlternative else { return nil }
    let uuid = BeaconUUID(high: bigEndian(data, 4), low: bigEndian(data, 12))
    return BeaconAdvertisement(
      BeaconIdentity(
        format: isApple ? .iBeacon : .altBeacon, uuid: uuid, major: UInt16(data[20]) << 8 | UInt16(data[21]),
        minor: UInt16(data[22]) << 8 | UInt16(data[23])),
      power: data[24])
  }

  /// The service data of Eddystone with a UID frame (Eddystone protocol specification, "Eddystone-UID"): a namespace of ten bytes
  /// and an instance of six. The namespace and the first two bytes of the instance are the UUID, the rest is major and minor.
  private static func eddystone(_ data: Span<UInt8>) -> BeaconAdvertisement? {
    guard data.count >= 20, data[0] == 0xAA, data[1] == 0xFE, data[2] == 0x00 else { return nil }
    let low = bigEndian(data, 12) & ~0xFFFF_FFFF
    return BeaconAdvertisement(
      BeaconIdentity(
        format: .eddystoneUID, uuid: BeaconUUID(high: bigEndian(data, 4), low: low),
        major: UInt16(data[16]) << 8 | UInt16(data[17]), minor: UInt16(data[18]) << 8 | UInt16(data[19])),
      power: data[3], atZeroMeters: true)
  }

  private static func bigEndian(_ data: Span<UInt8>, _ start: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<start + 8 { value = value << 8 | UInt64(data[index]) }
    return value
  }
}

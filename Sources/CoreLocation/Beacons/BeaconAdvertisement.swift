import CCoreLocation
import Foundation

/// The bytes by which a beacon is known.
struct BeaconAdvertisement {
  /// Where Core Bluetooth looks for them in what a peripheral advertises.
  static let key = "kCBAdvDataAppleBeaconKey"

  var uuid: UUID
  var major: CLBeaconMajorValue
  var minor: CLBeaconMinorValue
  /// The power received at 1 m, dBm.
  var measuredPower: Int8

  /// UUID (16 bytes), major and minor number (2 each, high byte first), power (1).
  var data: Data {
    let u = uuid.uuid
    return Data(
      [
        u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15, UInt8(major >> 8),
        UInt8(truncatingIfNeeded: major), UInt8(minor >> 8), UInt8(truncatingIfNeeded: minor),
        UInt8(bitPattern: measuredPower),
      ])
  }
}

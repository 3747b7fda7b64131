public import CCoreLocation
public import Foundation

/// A beacon whose signal was received.
// Not Sendable, as on Apple's systems, so that code that compiles here also compiles there.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
  private let values: BeaconValues

  /// Creates a beacon without data.
  public override init() {
    values = BeaconValues()
    super.init()
  }

  /// Creates a beacon from an observation.
  init(_ values: BeaconValues) {
    self.values = values
    super.init()
  }

  /// Reads an archive; `nil` if it holds no beacon.
  public required init?(coder: NSCoder) {
    guard let values = BeaconValues(from: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// When the beacon was observed.
  open var timestamp: Date { values.timestamp }
  /// The UUID.
  open var uuid: UUID { values.uuid }
  /// The older name of `uuid`.
  @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The major number, 0 to 65535.
  open var major: NSNumber { NSNumber(value: values.major) }
  /// The minor number, 0 to 65535.
  open var minor: NSNumber { NSNumber(value: values.minor) }
  /// The approximate distance.
  open var proximity: CLProximity { values.proximity }
  /// Standard deviation of the distance, meters; negative: not known.
  open var accuracy: CLLocationAccuracy { values.accuracy }
  /// The power received, dBm, averaged since the last report; 0: not known.
  open var rssi: Int { values.rssi }

  /// Returns itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}

/// The data of an observed beacon.
struct BeaconValues: Sendable {
  var timestamp = Date()
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var major: CLBeaconMajorValue = 0
  var minor: CLBeaconMinorValue = 0
  var proximity = CLProximity.unknown
  /// Meters; negative: not known.
  var accuracy: CLLocationAccuracy = -1
  /// dBm; 0: not known.
  var rssi = 0
}

extension BeaconValues {
  private enum Key {
    static let timestamp = "timestamp"
    static let uuid = "uuid"
    static let major = "major"
    static let minor = "minor"
    static let proximity = "proximity"
    static let accuracy = "accuracy"
    static let rssi = "rssi"
  }

  /// Reads an archive; `nil` if it holds no beacon.
  init?(from coder: NSCoder) {
    guard let uuid = coder.optionalUUID(forKey: Key.uuid),
      let major = UInt16(exactly: coder.decodeInteger(forKey: Key.major)),
      let minor = UInt16(exactly: coder.decodeInteger(forKey: Key.minor))
    else { return nil }
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Key.timestamp))
    proximity = CLProximity(rawValue: coder.decodeInteger(forKey: Key.proximity)) ?? .unknown
    accuracy = coder.decodeDouble(forKey: Key.accuracy)
    rssi = coder.decodeInteger(forKey: Key.rssi)
  }

  /// Writes an archive.
  func encode(to coder: NSCoder) {
    coder.encodeTime(timestamp, forKey: Key.timestamp)
    coder.encodeUUID(uuid, forKey: Key.uuid)
    coder.encode(Int(major), forKey: Key.major)
    coder.encode(Int(minor), forKey: Key.minor)
    coder.encode(proximity.rawValue, forKey: Key.proximity)
    coder.encode(accuracy, forKey: Key.accuracy)
    coder.encode(rssi, forKey: Key.rssi)
  }
}

/// The bytes that identify a beacon.
struct BeaconAdvertisement {
  /// The key under which Core Bluetooth finds these bytes in a peripheral's advertisement.
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

import CCoreLocation
import Foundation

/// What is known of a beacon that was heard.
struct BeaconValues: Sendable {
  var timestamp = Date()
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var major: CLBeaconMajorValue = 0
  var minor: CLBeaconMinorValue = 0
  var proximity = CLProximity.unknown
  /// Metres; negative: not known.
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

  /// Reads an archive; `nil` where it holds no beacon.
  init?(from coder: NSCoder) {
    guard let text = coder.optionalString(forKey: Key.uuid), let uuid = UUID(uuidString: text),
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
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
    coder.encode(uuid.uuidString as NSString, forKey: Key.uuid)
    coder.encode(Int(major), forKey: Key.major)
    coder.encode(Int(minor), forKey: Key.minor)
    coder.encode(proximity.rawValue, forKey: Key.proximity)
    coder.encode(accuracy, forKey: Key.accuracy)
    coder.encode(rssi, forKey: Key.rssi)
  }
}

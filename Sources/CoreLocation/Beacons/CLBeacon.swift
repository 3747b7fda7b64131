public import CCoreLocation
public import Foundation

/// A beacon that was heard.
// Not Sendable, as on Apple's systems: what compiles here compiles there.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
  private let values: BeaconValues

  /// A beacon of which nothing is known.
  public override init() {
    values = BeaconValues()
    super.init()
  }

  /// A beacon as it was heard.
  init(_ values: BeaconValues) {
    self.values = values
    super.init()
  }

  /// Reads an archive; `nil` where it holds no beacon.
  public required init?(coder: NSCoder) {
    guard let values = BeaconValues(from: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// When it was heard.
  open var timestamp: Date { values.timestamp }
  /// Its UUID.
  open var uuid: UUID { values.uuid }
  /// The older name of `uuid`.
  @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// Its major number, 0 to 65535.
  open var major: NSNumber { NSNumber(value: values.major) }
  /// Its minor number, 0 to 65535.
  open var minor: NSNumber { NSNumber(value: values.minor) }
  /// How far it is, roughly.
  open var proximity: CLProximity { values.proximity }
  /// Standard deviation of the distance, metres; negative: not known.
  open var accuracy: CLLocationAccuracy { values.accuracy }
  /// The power received, dBm, averaged since the last report; 0: not known.
  open var rssi: Int { values.rssi }

  /// Itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { values.encode(to: coder) }
}

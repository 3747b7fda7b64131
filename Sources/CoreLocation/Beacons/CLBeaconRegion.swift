public import CCoreLocation
public import Foundation

/// The surroundings of a beacon, or of all beacons with a common UUID, or a common UUID and major number.
open class CLBeaconRegion: CLRegion {
  private enum Key {
    static let constraint = "beaconIdentityConstraint"
    static let notifyOnDisplay = "notifyEntryStateOnDisplay"
  }

  private static let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private let constraint: CLBeaconIdentityConstraint

  /// Creates the region of all beacons of a UUID.
  public init(uuid: UUID, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid)
    super.init(identifier: identifier, circle: nil)
  }

  /// Creates the region of all beacons of a UUID and major number.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major)
    super.init(identifier: identifier, circle: nil)
  }

  /// Creates the region of one beacon.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier, circle: nil)
  }

  /// Creates the region of all beacons that match a constraint.
  public init(beaconIdentityConstraint constraint: CLBeaconIdentityConstraint, identifier: String) {
    self.constraint = constraint
    super.init(identifier: identifier, circle: nil)
  }

  /// The older form of `init(uuid:identifier:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:identifier:)")
  public init(proximityUUID: UUID, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: proximityUUID)
    super.init(identifier: identifier, circle: nil)
  }

  /// The older form of `init(uuid:major:identifier:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:major:identifier:)")
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major)
    super.init(identifier: identifier, circle: nil)
  }

  /// The older form of `init(uuid:major:minor:identifier:)`.
  @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:major:minor:identifier:)")
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    constraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major, minor: minor)
    super.init(identifier: identifier, circle: nil)
  }

  /// A region without a name, for beacons whose UUID is zero, as with Apple's inherited initializer.
  public override init() {
    constraint = CLBeaconIdentityConstraint(uuid: Self.noUUID)
    super.init(identifier: "", circle: nil)
  }

  /// The older initializer of `CLRegion`, which Apple's class inherits: a region of beacons whose UUID is zero.
  @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
  public override init(
    circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
  ) {
    constraint = CLBeaconIdentityConstraint(uuid: Self.noUUID)
    super.init(identifier: identifier, circle: RegionCircle(center: center, radius: radius))
  }

  /// Reads an archive; `nil` if it holds no beacon region.
  public required init?(coder: NSCoder) {
    guard let constraint = coder.optional(CLBeaconIdentityConstraint.self, forKey: Key.constraint) else {
      return nil
    }
    self.constraint = constraint
    super.init(coder: coder)
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: Key.notifyOnDisplay)
  }

  /// The constraint that the beacons match.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }
  /// The UUID that the beacons have in common.
  open var uuid: UUID { constraint.uuid }
  /// The older name of `uuid`.
  @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The major number that the beacons have in common; `nil`: any.
  open var major: NSNumber? { constraint.major.map { NSNumber(value: $0) } }
  /// The minor number that the beacons have in common; `nil`: any.
  open var minor: NSNumber? { constraint.minor.map { NSNumber(value: $0) } }
  /// Whether the program is notified that it is inside the region when the display is turned on; initially `false`.
  open var notifyEntryStateOnDisplay = false

  override var kind: RegionKind { .beacon }

  /// The advertisement with which a device acts as such a beacon: the value under Apple's key consists of the UUID, the
  /// major and minor number, high byte first, and the power measured at 1 m, dBm.
  ///
  /// - Parameter measuredPower: −128 to 127; `nil`: −59.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    let advertisement = BeaconAdvertisement(
      uuid: uuid, major: constraint.major ?? 0, minor: constraint.minor ?? 0,
      measuredPower: measuredPower.map { Int8(clamping: $0.intValue) } ?? -59)
    return NSMutableDictionary(
      object: NSData(data: advertisement.data), forKey: NSString(string: BeaconAdvertisement.key))
  }

  /// The identifier and the beacons.
  open override var description: String {
    "\(type(of: self)) (identifier:'\(identifier)', \(constraint.words))"
  }

  /// A separate region with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = copyingFlags(to: CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: identifier))
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  /// Writes an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(constraint, forKey: Key.constraint)
    coder.encode(notifyEntryStateOnDisplay, forKey: Key.notifyOnDisplay)
  }
}

public import CCoreLocation
public import Foundation

/// Selects beacons: all of a UUID, all of a UUID and a major number, or one. Two constraints are equal if all three values are.
// Unchecked, because programs may subclass it: its own storage never changes.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private enum Key {
    static let uuid = "uuid"
    static let major = "major"
    static let minor = "minor"
  }

  private let identity: BeaconIdentity

  /// Matches all beacons of a UUID.
  public init(uuid: UUID) {
    identity = BeaconIdentity(uuid: uuid)
    super.init()
  }

  /// Matches all beacons of a UUID and major number.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init()
  }

  /// Matches one beacon.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init()
  }

  /// Reads an archive; `nil` if it holds no constraint.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.optionalUUID(forKey: Key.uuid) else { return nil }
    func number(_ key: String) -> UInt16? {
      coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
    }
    identity = BeaconIdentity(uuid: uuid, major: number(Key.major), minor: number(Key.minor))
    super.init()
  }

  /// The UUID that the beacons have in common.
  open var uuid: UUID { identity.uuid }
  /// The major number that the beacons have in common; `nil`: any.
  open var major: CLBeaconMajorValue? { identity.major }
  /// The minor number that the beacons have in common; `nil`: any.
  open var minor: CLBeaconMinorValue? { identity.minor }

  /// The values as text, for descriptions.
  var words: String {
    "uuid:\(uuid), major:\(major.map { "\($0)" } ?? "any"), minor:\(minor.map { "\($0)" } ?? "any")"
  }

  /// Whether UUID, major and minor number are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLBeaconIdentityConstraint)?.identity == identity
  }

  /// Computed from all three values.
  open override var hash: Int { identity.hashValue }

  /// The class and the values.
  open override var description: String { "\(type(of: self)) (\(words))" }

  /// Returns itself, because a constraint never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always `true`.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encodeUUID(identity.uuid, forKey: Key.uuid)
    if let major = identity.major { coder.encode(Int(major), forKey: Key.major) }
    if let minor = identity.minor { coder.encode(Int(minor), forKey: Key.minor) }
  }
}

/// The values that distinguish beacons; `nil` matches any value.
struct BeaconIdentity: Hashable, Sendable {
  var uuid: UUID
  var major: CLBeaconMajorValue?
  var minor: CLBeaconMinorValue?
}

public import CCoreLocation
public import Foundation

/// Which beacons are meant: all of a UUID, of a UUID and a major number, or one. Equal where all three are.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private enum Key {
    static let uuid = "uuid"
    static let major = "major"
    static let minor = "minor"
  }

  private let identity: BeaconIdentity

  /// All beacons of a UUID.
  public init(uuid: UUID) {
    identity = BeaconIdentity(uuid: uuid)
    super.init()
  }

  /// All beacons of a UUID and major number.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init()
  }

  /// One beacon.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init()
  }

  /// Reads an archive; `nil` where it holds no constraint.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.optionalUUID(forKey: Key.uuid) else { return nil }
    func number(_ key: String) -> UInt16? {
      coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
    }
    identity = BeaconIdentity(uuid: uuid, major: number(Key.major), minor: number(Key.minor))
    super.init()
  }

  /// The UUID that they have in common.
  open var uuid: UUID { identity.uuid }
  /// The major number that they have in common; `nil`: any.
  open var major: CLBeaconMajorValue? { identity.major }
  /// The minor number; `nil`: any.
  open var minor: CLBeaconMinorValue? { identity.minor }

  /// In words, for descriptions.
  var words: String {
    "uuid:\(uuid), major:\(major.map { "\($0)" } ?? "any"), minor:\(minor.map { "\($0)" } ?? "any")"
  }

  /// The same UUID, major and minor number.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLBeaconIdentityConstraint)?.identity == identity
  }

  /// From all three.
  open override var hash: Int { identity.hashValue }

  /// What it asks for.
  open override var description: String { "\(type(of: self)) (\(words))" }

  /// Itself: a constraint never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encodeUUID(identity.uuid, forKey: Key.uuid)
    if let major = identity.major { coder.encode(Int(major), forKey: Key.major) }
    if let minor = identity.minor { coder.encode(Int(minor), forKey: Key.minor) }
  }
}

/// What tells beacons apart; what is `nil` may be anything.
struct BeaconIdentity: Hashable, Sendable {
  var uuid: UUID
  var major: CLBeaconMajorValue?
  var minor: CLBeaconMinorValue?
}

public import CCoreLocation
public import Foundation

extension CLMonitor {
  /// A beacon, or one of several, is near.
  public struct BeaconIdentityCondition: CLCondition {
    /// The UUID that the beacons have in common.
    public let uuid: UUID
    /// The major number that they have in common; `nil`: any.
    public let major: CLBeaconMajorValue?
    /// The minor number; `nil`: any.
    public let minor: CLBeaconMinorValue?

    /// Any beacon of a UUID.
    public init(uuid: UUID) { (self.uuid, major, minor) = (uuid, nil, nil) }

    /// Any beacon of a UUID and major number.
    public init(uuid: UUID, major: CLBeaconMajorValue) { (self.uuid, self.major, minor) = (uuid, major, nil) }

    /// One beacon.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
      (self.uuid, self.major, self.minor) = (uuid, major, minor)
    }
  }
}

import CCoreLocation
import Foundation

/// What tells beacons apart; what is `nil` may be anything.
struct BeaconIdentity: Hashable, Sendable {
  var uuid: UUID
  var major: CLBeaconMajorValue?
  var minor: CLBeaconMinorValue?
}

/// One position with everything that is known about it: what flows from a receiver to a client.
///
/// Not known is `nil`. Every radius is the 68 % one: the truth lies inside in 68 of 100 cases.
package struct PositionFix: Hashable, Sendable {
  /// When the position was true.
  package var time: GNSSTime
  /// How far `time` can be believed.
  package var timeValidity: TimeValidity
  /// When the last message that says something of it arrived.
  package var receivedAt: Instant

  /// WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around `coordinate`, > 0.
  package var horizontalRadius68: Meters
  /// What `horizontalRadius68` is derived from. It does not travel between processes.
  package var horizontalRadiusBasis = RadiusBasis.accuracy
  /// Height above the WGS 84 ellipsoid.
  package var heightAboveEllipsoid: Meters?
  /// Height above mean sea level, by the receiver's geoid.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % half-width of either height, > 0.
  package var verticalRadius68: Meters?

  /// Speed over ground in metres per second, ≥ 0.
  package var speedMetersPerSecond: Double?
  /// 68 % half-width of the speed in metres per second, > 0.
  package var speedRadius68MetersPerSecond: Double?
  /// Direction of travel, 0…<360° clockwise from true north.
  package var course: Angle?
  /// 68 % half-width of the course, 0…180°.
  package var courseRadius68: Angle?

  /// The kind of solution.
  package var kind: FixKind
  /// Satellites in the solution.
  package var satellitesUsed: Int?
  /// What it was computed from.
  package var technologies: Technologies
  /// Why it should not be believed, if so.
  package var suspicion: Suspicion?
  /// Whether any of it came from a replay or a simulator.
  package var isSimulated: Bool
  /// Path of the device it came from.
  package var device: String?
  /// Identity of the receiver that survives another name for its device.
  package var receiver: String?

  /// A fix of which only the required is known; the rest is set field by field.
  package init(
    time: GNSSTime, timeValidity: TimeValidity, receivedAt: Instant, coordinate: Coordinate,
    horizontalRadius68: Meters, kind: FixKind, technologies: Technologies
  ) {
    self.time = time
    self.timeValidity = timeValidity
    self.receivedAt = receivedAt
    self.coordinate = coordinate
    self.horizontalRadius68 = horizontalRadius68
    self.kind = kind
    self.technologies = technologies
    self.isSimulated = false
  }

  /// Geoid height above the ellipsoid, where both heights are known.
  package var geoidSeparation: Meters? {
    guard let heightAboveEllipsoid, let heightAboveMeanSeaLevel else { return nil }
    return heightAboveEllipsoid - heightAboveMeanSeaLevel
  }
}

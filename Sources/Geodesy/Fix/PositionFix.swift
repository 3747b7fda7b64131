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

/// What a fix is worth some time after it was true: the one place where a radius grows with age.
///
/// Documentation/Behavior.md, "Accuracy": the radius includes what may have happened since, age times speed.
extension PositionFix {
  /// The speed taken where the fix tells none: a brisk walk, in metres per second. A vehicle's receiver tells its speed.
  package static let assumedSpeedMetersPerSecond = 1.5

  /// A speed that is older says nothing of now.
  package static let speedLifetime: Duration = .seconds(60)

  /// No radius grows beyond half the circumference of the Earth: there is no place further away.
  package static let greatestRadius68 = Meters(20_037_508)

  /// How old the fix is at `now`, by the monotonic clock since its arrival; never negative. What it took on the way from
  /// the antenna is not in it: nothing says how long that was.
  package func age(at now: Instant) -> Duration {
    max(.zero, now - receivedAt)
  }

  /// The 68 % radius at `now`: that of the fix, plus age times speed.
  package func horizontalRadius68(at now: Instant) -> Meters {
    let seconds = age(at: now).inSeconds
    let told = max(0, speedMetersPerSecond ?? Self.assumedSpeedMetersPerSecond)
    // What stood still may have set out since.
    let speed = seconds > Self.speedLifetime.inSeconds ? max(told, Self.assumedSpeedMetersPerSecond) : told
    let grown = horizontalRadius68.value + seconds * speed
    return Meters(min(grown, max(Self.greatestRadius68.value, horizontalRadius68.value)))
  }

  /// The fix as it is told at `now`: its radius grown, everything else as it was. It must not be grown a second time:
  /// `receivedAt` stays, so that its age can still be told.
  package func grown(to now: Instant) -> PositionFix {
    var fix = self
    fix.horizontalRadius68 = horizontalRadius68(at: now)
    return fix
  }
}

/// What a distance filter lets through (Documentation/Behavior.md, "Streams"): the one place that says so, for whoever filters.
extension PositionFix {
  /// A radius below this share of the delivered one is an improvement that the distance filter lets through.
  package static let improvementShare = 0.9

  /// Whether it is worth telling to who was told `told` before and wants to hear of `distance`: far enough, or better.
  package func isNews(after told: PositionFix, beyond distance: Meters) -> Bool {
    isNews(after: told.coordinate, told.horizontalRadius68, beyond: distance)
  }

  /// The same, where of the delivered fix no more is kept than its place and radius.
  package func isNews(after place: Coordinate, _ radius68: Meters, beyond distance: Meters) -> Bool {
    if horizontalRadius68 < radius68 * Self.improvementShare { return true }
    return Geodesic.inverse(from: place, to: coordinate).distance >= distance
  }
}

/// What kind of solution a fix is, from weak to strong.
package enum FixKind: UInt8, Hashable, Sendable {
  /// Dead reckoning, or any position that no satellites of this epoch stand behind.
  case estimated
  /// Satellites, height held.
  case twoDimensional
  /// Satellites, height solved.
  case threeDimensional
  /// With differential corrections (SBAS, DGNSS).
  case differential
  /// Carrier phase, ambiguities not fixed.
  case rtkFloat
  /// Carrier phase, ambiguities fixed.
  case rtkFixed

  /// Whether a height may be told with it.
  package var hasHeight: Bool { self != .twoDimensional }
}

/// What the horizontal radius of a fix is derived from.
package enum RadiusBasis: UInt8, Hashable, Sendable {
  /// The receiver reported its own accuracy (UBX hAcc or covariance, GST, PUBX,00, PGRME, gpsd's error estimate).
  case accuracy
  /// The receiver reported a dilution of precision: the geometry of the satellites, which says nothing of reflections.
  case dilution
  /// The receiver reported neither.
  case assumed
  /// Mostly the offset between the receiver's unknown datum and WGS 84, the same at every fix.
  case datum
}

/// Why a fix should not be believed as it stands. It is told beside the fix, never hidden.
package enum Suspicion: UInt8, Hashable, Sendable {
  /// The position has not changed by one bit while the receiver says that it moves, or speed and signals vary.
  case frozen
  /// The receiver reports jamming or spoofing.
  case jammed
  /// A speed or a jump that no vehicle makes.
  case implausible
}

/// What a position was computed from.
package struct Technologies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let gnss = Technologies(rawValue: 1 << 0)
  package static let wifi = Technologies(rawValue: 1 << 1)
  package static let cell = Technologies(rawValue: 1 << 2)
  package static let companion = Technologies(rawValue: 1 << 3)
}

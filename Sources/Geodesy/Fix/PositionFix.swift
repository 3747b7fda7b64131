/// One position and everything known about it: the value that passes from a receiver to a client.
///
/// `nil` means unknown. Every radius is a 68 % radius: the true value lies inside it in 68 of 100 cases.
package struct PositionFix: Hashable, Sendable {
  /// The time at which the position is valid.
  package var time: GNSSTime
  /// How reliable `time` is.
  package var timeValidity: TimeValidity
  /// When the last message that contributed to the fix arrived.
  package var receivedAt: Instant

  /// The position, WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around `coordinate`, > 0.
  package var horizontalRadius68: Meters
  /// What `horizontalRadius68` is derived from. Not sent between processes.
  package var horizontalRadiusBasis = RadiusBasis.accuracy
  /// Height above the WGS 84 ellipsoid.
  package var heightAboveEllipsoid: Meters?
  /// Height above mean sea level, from the receiver's geoid.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % half-width that applies to both heights, > 0.
  package var verticalRadius68: Meters?

  /// Speed over ground in meters per second, ≥ 0.
  package var speedMetersPerSecond: Double?
  /// 68 % half-width of the speed in meters per second, > 0.
  package var speedRadius68MetersPerSecond: Double?
  /// Direction of travel, 0…<360° clockwise from true north.
  package var course: Angle?
  /// 68 % half-width of the course, 0…180°.
  package var courseRadius68: Angle?

  /// The kind of solution.
  package var kind: FixKind
  /// Number of satellites in the solution.
  package var satellitesUsed: Int?
  /// Horizontal dilution of precision of the solution, above zero and below 100, as the receiver reported it. It
  /// describes only the geometry of the satellites and is not an accuracy.
  package var hdop: Double?
  /// The age of the corrections that it was computed with; of classes of ages that a receiver reports, the greatest. `nil`: unknown, or
  /// without corrections.
  package var correctionAge: Duration?
  /// The technologies it was computed from.
  package var technologies: Technologies
  /// Why the fix should not be trusted; `nil` if there is no doubt.
  package var qualityFlag: FixQualityFlag?
  /// Whether any part of it came from a replay or a simulator.
  package var isSimulated: Bool
  /// Whether it comes from another program's file. An imported fix exists only in logs: it is not a position of this machine.
  package var isImported = false
  /// Path of the device it came from.
  package var device: String?
  /// Identity of the receiver, which stays the same when its device gets another name.
  package var receiver: String?

  /// A fix with the required fields; the caller sets the others one by one.
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

  /// Geoid height above the ellipsoid; `nil` unless both heights are known.
  package var geoidSeparation: Meters? {
    guard let heightAboveEllipsoid, let heightAboveMeanSeaLevel else { return nil }
    return heightAboveEllipsoid - heightAboveMeanSeaLevel
  }
}

/// What is known of an imported fix. Files often contain neither an accuracy nor the kind of solution.
extension PositionFix {
  /// The radius, or `nil` if the file does not contain one: such a fix has `greatestRadius68`, within which every position lies.
  package var knownHorizontalRadius68: Meters? {
    isImported && horizontalRadius68 >= Self.greatestRadius68 ? nil : horizontalRadius68
  }

  /// The kind of solution, or `nil` if the file does not contain it: such a fix is `estimated`.
  package var knownKind: FixKind? { isImported && kind == .estimated ? nil : kind }
}

/// The accuracy of a fix as it ages. Only this extension lets a radius grow with age.
///
/// Documentation/Behavior.md, "Accuracy": the radius includes the possible movement since the fix, age times speed.
extension PositionFix {
  /// The speed assumed for a fix without one, meters per second: a brisk walk. A vehicle's receiver reports its speed.
  package static let assumedSpeedMetersPerSecond = 1.5

  /// The age above which a reported speed may no longer be the current one.
  package static let speedLifetime: Duration = .seconds(60)

  /// The limit to which a radius grows: half the circumference of the equator; no two places are farther apart.
  package static let greatestRadius68 = Meters(20_037_508)

  /// The age of the fix at `now`, measured from its arrival by the monotonic clock; never negative. It excludes the delay
  /// between the antenna and the arrival, which is unknown.
  package func age(at now: Instant) -> Duration {
    max(.zero, now - receivedAt)
  }

  /// The 68 % radius at `now`: the radius of the fix plus age times speed.
  package func horizontalRadius68(at now: Instant) -> Meters {
    let grown = horizontalRadius68.value + possibleMovement(in: age(at: now))
    return Meters(min(grown, max(Self.greatestRadius68.value, horizontalRadius68.value)))
  }

  /// The 68 % radius when the position was measured, of a fix whose radius has grown for `age`; `nil` if it cannot have grown so much.
  package func horizontalRadius68(beforeGrowingFor age: Duration) -> Meters? {
    let measured = horizontalRadius68.value - possibleMovement(in: age)
    return measured > 0 ? Meters(measured) : nil
  }

  /// Meters.
  private func possibleMovement(in age: Duration) -> Double {
    let reported = max(0, speedMetersPerSecond ?? Self.assumedSpeedMetersPerSecond)
    // A receiver that stood still may have started to move since.
    let speed = age > Self.speedLifetime ? max(reported, Self.assumedSpeedMetersPerSecond) : reported
    return age.inSeconds * speed
  }

  /// The fix as sent at `now`: with its radius grown and everything else unchanged. Do not call this on the result again:
  /// `receivedAt` stays, so that the age remains known, and the radius would grow twice.
  package func grown(to now: Instant) -> PositionFix {
    var fix = self
    fix.horizontalRadius68 = horizontalRadius68(at: now)
    return fix
  }
}

/// The rule that decides which fixes a distance filter passes (Documentation/Behavior.md, "Streams"), shared by all
/// filters.
extension PositionFix {
  /// A distance filter passes a fix whose radius is below this share of the radius of the delivered fix, whatever the
  /// distance.
  package static let improvementShare = 0.9

  /// Whether to send this fix to a client that last received `reported` and filters by `distance`: the fix is at least that far
  /// away, or more accurate (`improvementShare`).
  package func isUpdate(after reported: PositionFix, beyond distance: Meters) -> Bool {
    isUpdate(after: reported.coordinate, reported.horizontalRadius68, beyond: distance)
  }

  /// The same, for callers that keep only the coordinate and the radius of the delivered fix.
  package func isUpdate(after place: Coordinate, _ radius68: Meters, beyond distance: Meters) -> Bool {
    if horizontalRadius68 < radius68 * Self.improvementShare { return true }
    return Geodesic.inverse(from: place, to: coordinate).distance >= distance
  }
}

/// The kind of solution, from weak to strong.
package enum FixKind: UInt8, Hashable, Sendable {
  /// Dead reckoning, or any position not based on satellites of this epoch.
  case estimated = 0
  /// From satellites, with the height held.
  case twoDimensional = 1
  /// From satellites, with the height solved.
  case threeDimensional = 2
  /// With differential corrections (SBAS, DGNSS).
  case differential = 3
  /// Carrier phase, ambiguities not fixed.
  case rtkFloat = 4
  /// Carrier phase, ambiguities fixed.
  case rtkFixed = 5

  /// Whether a fix of this kind may include a height.
  package var hasHeight: Bool { self != .twoDimensional }
}

/// What the horizontal radius of a fix is derived from.
package enum RadiusBasis: UInt8, Hashable, Sendable {
  /// The receiver reported its own accuracy (UBX hAcc or covariance, GST, PUBX,00, PGRME, PQXFI, or
  /// gpsd's report of a u-blox).
  case accuracy
  /// The receiver reported a dilution of precision, which covers the satellites' geometry but not multipath.
  case dilution
  /// The receiver reported neither.
  case assumed
  /// The radius is mostly the offset between the receiver's unknown datum and WGS 84, which is the same for every fix.
  case datum
}

/// Why a fix should not be trusted as it is. Always sent with the fix.
package enum FixQualityFlag: UInt8, Hashable, Sendable {
  /// The position stays exactly the same while the receiver reports movement.
  case frozen = 0
  /// The receiver reports jamming or spoofing.
  case jammed = 1
  /// A speed or a jump that no vehicle can make, or positions that contradict the reported speed.
  case implausible = 2
}

/// The technologies that a position was computed from.
package struct Technologies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let gnss = Technologies(rawValue: 1 << 0)
  package static let wifi = Technologies(rawValue: 1 << 1)
  package static let cell = Technologies(rawValue: 1 << 2)
  package static let companion = Technologies(rawValue: 1 << 3)
  /// Through a network: by a receiver elsewhere, without proof that it is the one that was meant.
  package static let network = Technologies(rawValue: 1 << 4)
}

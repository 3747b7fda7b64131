package import Geodesy

/// A beacon in a report of ranging.
package struct RangedBeacon: Hashable, Sendable {
  package let identity: BeaconIdentity
  /// Mean power of the packets since the last report, dBm; `nil` if there were none.
  package let meanPower: Double?
  /// Meters, the median of what the power allows; `nil` if no packet arrived since the last report.
  package let distanceMeters: Double?
  /// `nil` if no packet arrived since the last report.
  package let proximity: BeaconProximity?
}

/// Measures the distances of the beacons that satisfy constraints, and reports them once per second for each constraint.
package struct BeaconRanger: Sendable {
  /// The inputs of the machine.
  package enum Input: Sendable {
    case start(BeaconConstraint)
    case stop(BeaconConstraint)
    /// A packet with a beacon; its power in dBm.
    case packet(BeaconAdvertisement, power: Int8)
    /// `nextDeadline` was reached. Calling early is harmless.
    case wake
  }

  /// The outputs of the machine.
  package enum Action: Hashable, Sendable {
    /// The beacons that satisfy a constraint, the nearest first, those without a packet since the last report last; empty if
    /// there are none.
    case report(BeaconConstraint, [RangedBeacon])
  }

  /// Constraints that are ranged at a time, and beacons that are measured at a time: a neighbor with a transmitter can invent any
  /// number of them. The beacon that was silent for longest makes place.
  package static let maximumConstraints = 64
  package static let maximumBeacons = 256
  private static let interval = Duration.seconds(1)
  /// Silence after which a beacon is no longer reported.
  private static let forgottenAfter = Duration.seconds(10)

  private struct Beacon {
    var distance = BeaconDistance()
    var sum = 0.0
    var packets = 0
    var heardAt: Instant
  }

  private var constraints: [BeaconConstraint] = []
  private var beacons: [BeaconIdentity: Beacon] = [:]
  /// When the next reports are due; `nil` while nothing is ranged.
  package private(set) var nextDeadline: Instant?

  /// A machine that ranges nothing.
  package init() {}

  /// The constraints that are ranged.
  package var ranged: [BeaconConstraint] { constraints }

  /// Takes an input. A constraint beyond `maximumConstraints` is not accepted: `ranged` does not contain it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .start(let constraint):
      guard !constraints.contains(constraint), constraints.count < Self.maximumConstraints else { return [] }
      constraints.append(constraint)
      if nextDeadline == nil { nextDeadline = now + Self.interval }
    case .stop(let constraint):
      constraints.removeAll { $0 == constraint }
      beacons = beacons.filter { identity, _ in constraints.contains { $0.matches(identity) } }
      if constraints.isEmpty { nextDeadline = nil }
    case .packet(let advertisement, let power):
      note(advertisement, power: power, at: now)
    case .wake:
      guard let deadline = nextDeadline, now >= deadline else { return [] }
      // After a suspend the reports of the time between are left out.
      nextDeadline = now - deadline < Self.interval ? deadline + Self.interval : now + Self.interval
      return report(at: now)
    }
    return []
  }

  private mutating func note(_ advertisement: BeaconAdvertisement, power: Int8, at now: Instant) {
    let identity = advertisement.identity
    // 127: the controller does not know the power (Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.2).
    guard power != 127, constraints.contains(where: { $0.matches(identity) }) else { return }
    if beacons[identity] == nil, beacons.count == Self.maximumBeacons,
      let silent = beacons.min(by: { $0.value.heardAt < $1.value.heardAt })?.key
    {
      beacons[silent] = nil
    }
    var beacon = beacons[identity] ?? Beacon(heardAt: now)
    beacon.distance.handle(power: Double(power), powerAtOneMeter: advertisement.powerAtOneMeter, at: now)
    beacon.sum += Double(power)
    beacon.packets += 1
    beacon.heardAt = now
    beacons[identity] = beacon
  }

  private mutating func report(at now: Instant) -> [Action] {
    beacons = beacons.filter { now - $0.value.heardAt < Self.forgottenAfter }
    var ranged: [RangedBeacon] = []
    for identity in beacons.keys {
      guard var beacon = beacons[identity] else { continue }
      let isHeard = beacon.packets > 0
      if isHeard { beacon.distance.updateProximity(at: now) }
      ranged.append(
        RangedBeacon(
          identity: identity, meanPower: isHeard ? beacon.sum / Double(beacon.packets) : nil,
          distanceMeters: isHeard ? beacon.distance.meters : nil,
          proximity: isHeard ? beacon.distance.proximity : nil))
      (beacon.sum, beacon.packets) = (0, 0)
      beacons[identity] = beacon
    }
    ranged.sort { a, b in
      let (left, right) = (a.distanceMeters ?? .infinity, b.distanceMeters ?? .infinity)
      return left != right ? left < right : (a.identity.major, a.identity.minor) < (b.identity.major, b.identity.minor)
    }
    return constraints.map { constraint in .report(constraint, ranged.filter { constraint.matches($0.identity) }) }
  }
}

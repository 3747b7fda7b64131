package import Geodesy
package import WireFormats

/// What the service has learned about one access point.
package struct AccessPointRecord: Hashable, Sendable {
  /// Whether the access point stays in one place.
  package enum State: Hashable, Sendable {
    /// At its place.
    case resident
    /// At its place, but recently received elsewhere.
    case doubted(AlternativePosition)
    /// Mobile: on a train, in a car, or a phone. Since this day.
    case travelling(since: Int)
  }

  /// Another place than that of the record.
  package struct AlternativePosition: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Observations there, ≥ 1.
    package var count: Int
    /// The first day, since 1970-01-01.
    package var day: Int
  }

  package let bssid: BSSID
  package internal(set) var state = State.resident
  /// The mean of its estimated position.
  package internal(set) var coordinate: Coordinate
  /// The covariance of the estimated position, m²: variance to the east, covariance, variance to the north; positive
  /// definite.
  package internal(set) var covariance: SIMD3<Double>
  /// The mean of the places at which it was received: an observation far from it is one of another place.
  package internal(set) var receivedAround: Coordinate
  /// Observations at its place, ≥ 1, up to 65,535.
  package internal(set) var count = 1
  /// Days on which it was received there, ≥ 1, up to 255.
  package internal(set) var days = 1
  /// The first day on which it was received anywhere, and the last one, in days since 1970-01-01: 0…65,535.
  package internal(set) var firstDay: Int
  package internal(set) var lastDay: Int
  /// How often it moved or was found to travel, up to 255.
  package internal(set) var moves = 0

  /// Creates a record from the first observation.
  package init(_ located: LocatedObservation, _ tuning: PositioningTuning = .standard) {
    let day = Self.kept(located.day)
    self.init(bssid: located.bssid, coordinate: located.coordinate, covariance: .zero, firstDay: day, lastDay: day)
    settle(at: located.coordinate, located, tuning.learning)
  }

  init(bssid: BSSID, coordinate: Coordinate, covariance: SIMD3<Double>, firstDay: Int, lastDay: Int) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.covariance = covariance
    receivedAround = coordinate
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  static func kept(_ day: Int) -> Int { min(Int(UInt16.max), max(0, day)) }

  /// Its position, if that is reliable: `nil` while it travels, after repeated observations elsewhere, or if its address is
  /// locally administered and it was not yet there on several days.
  package func place(_ tuning: PositioningTuning = .standard) -> AccessPointPosition? {
    let tuning = tuning.learning
    switch state {
    case .travelling: return nil
    case .doubted(let other) where other.count >= tuning.observationsToDoubt: return nil
    case .doubted, .resident: break
    }
    guard !bssid.isLocallyAdministered || days >= tuning.daysOfMadeUp else { return nil }
    return AccessPointPosition(bssid: bssid, coordinate: coordinate, radius68: radius68(tuning))
  }

  /// From the covariance, and from the error that observations do not reveal.
  private func radius68(_ tuning: PositioningTuning.Learning) -> Meters {
    let own = WiFiSolver.radiusOfDeviation * ((covariance.x + covariance.z) / 2).squareRoot()
    return Meters(Math.hypot(own, tuning.radiusFloor))
  }
}

extension AccessPointRecord {
  /// Updates the record with an observation of this access point.
  ///
  /// An observation too far away to be of the same place may be an error: it is kept as another place. If more come from there,
  /// and none from home, the access point has moved, and its record restarts. If one comes from a third place, or from home
  /// after several from elsewhere, the access point travels, and is not learned for some days; permanently if it travels month
  /// after month.
  package mutating func learn(_ located: LocatedObservation, _ tuning: PositioningTuning = .standard) {
    let tuning = tuning.learning
    let day = Self.kept(located.day)
    let isHome = isNear(receivedAround, located, tuning) && isConsistent(located, tuning)
    switch state {
    case .resident:
      if isHome {
        absorb(located, tuning)
      } else {
        state = .doubted(AlternativePosition(coordinate: located.coordinate, count: 1, day: day))
      }
    case .doubted(let other) where isHome:
      if other.count >= tuning.observationsToDoubt {
        travel(day)
      } else {
        state = .resident
        absorb(located, tuning)
      }
    case .doubted(let other) where isNear(other.coordinate, located, tuning):
      follow(other, located, tuning)
    case .doubted:
      travel(day)
    case .travelling(let since):
      if day >= since + tuning.blockedDays, moves <= months(to: day, tuning) + 1 {
        settle(at: located.coordinate, located, tuning)
      }
    }
    lastDay = max(lastDay, day)
  }

  private func isNear(_ place: Coordinate, _ located: LocatedObservation, _ tuning: PositioningTuning.Learning) -> Bool
  {
    let distance = LocalFrame(origin: place).offset(of: located.coordinate).length.value
    return distance <= tuning.greatestRange + located.radius68.value
  }

  /// Whether the signal can be this strong at the place of the observation, with any exponent.
  private func isConsistent(_ located: LocatedObservation, _ tuning: PositioningTuning.Learning) -> Bool {
    let distance = LocalFrame(origin: coordinate).offset(of: located.coordinate).length.value
    let own = 4 * max(covariance.x, covariance.z).squareRoot()
    return distance <= max(tuning.leastRange, located.distance.limit) + own + located.radius68.value
  }

  /// Adds an observation made near the place of the record.
  private mutating func absorb(_ located: LocatedObservation, _ tuning: PositioningTuning.Learning) {
    narrow(by: located, tuning)
    count = min(Int(UInt16.max), count + 1)
    let frame = LocalFrame(origin: receivedAround)
    let step = frame.offset(of: located.coordinate)
    let share = 1 / Double(min(count, tuning.rememberedObservations))
    receivedAround = frame.coordinate(
      at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters))
    if Self.kept(located.day) > lastDay { days = min(Int(UInt8.max), days + 1) }
  }

  /// Updates the position estimate with an observation.
  private mutating func narrow(by located: LocatedObservation, _ tuning: PositioningTuning.Learning) {
    let frame = LocalFrame(origin: coordinate)
    let step = frame.offset(of: located.coordinate)
    let fix = located.radius68.value / WiFiSolver.radiusOfDeviation
    var estimate = AccessPointEstimate(
      mean: .zero, covariance: Symmetric2(xx: covariance.x, xy: covariance.y, yy: covariance.z))
    estimate.learn(
      located.distance, from: SIMD2(step.eastMeters, step.northMeters),
      blur: 2 * fix * fix + tuning.leastDistance * tuning.leastDistance, tuning)
    coordinate = frame.coordinate(at: .init(eastMeters: estimate.mean.x, northMeters: estimate.mean.y))
    covariance = SIMD3(estimate.covariance.xx, estimate.covariance.xy, estimate.covariance.yy)
  }

  /// Adds an observation of another place.
  private mutating func follow(
    _ other: AlternativePosition, _ located: LocatedObservation, _ tuning: PositioningTuning.Learning
  ) {
    let frame = LocalFrame(origin: other.coordinate)
    let step = frame.offset(of: located.coordinate)
    var other = other
    other.count += 1
    let share = 1 / Double(other.count)
    other.coordinate = frame.coordinate(
      at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters))
    let isAnotherDay = Self.kept(located.day) > other.day
    if other.count >= (isAnotherDay ? tuning.observationsToMove : tuning.observationsToMoveAtOnce) {
      // An access point that moves repeatedly counts as traveling.
      guard moves <= months(to: located.day, tuning) else { return travel(Self.kept(located.day)) }
      settle(at: other.coordinate, located, tuning)
      count = other.count
      if isAnotherDay { days = 2 }
      moves = min(Int(UInt8.max), moves + 1)
    } else {
      state = .doubted(other)
    }
  }

  private func months(to day: Int, _ tuning: PositioningTuning.Learning) -> Int {
    (Self.kept(day) - firstDay) / tuning.daysPerMove
  }

  private mutating func travel(_ day: Int) {
    state = .travelling(since: day)
    moves = min(Int(UInt8.max), moves + 1)
  }

  /// Restarts the record at a place.
  mutating func settle(at place: Coordinate, _ located: LocatedObservation, _ tuning: PositioningTuning.Learning) {
    state = .resident
    (coordinate, receivedAround) = (place, place)
    let variance = tuning.firstDeviation * tuning.firstDeviation
    covariance = SIMD3(variance, 0, variance)
    narrow(by: located, tuning)
    count = 1
    days = 1
  }
}

import Geodesy
import WireFormats

extension AccessPointRecord {
  /// Takes a hearing of this access point.
  ///
  /// One that is too far away to be of the same place may be an error: it is kept as another place. If more come from there, and
  /// none from home, the access point has moved, and starts anew. If one comes from a third place, or from home after several
  /// from elsewhere, it travels, and is not learnt of for some days; for good where it does so month after month.
  package mutating func learn(_ hearing: Hearing, _ tuning: PositioningTuning = .standard) {
    let tuning = tuning.learning
    let day = Self.kept(hearing.day)
    let isHome = isNear(heardAround, hearing, tuning) && isConsistent(hearing, tuning)
    switch state {
    case .resident:
      if isHome {
        absorb(hearing, tuning)
      } else {
        state = .doubted(Elsewhere(coordinate: hearing.coordinate, count: 1, day: day))
      }
    case .doubted(let other) where isHome:
      if other.count >= tuning.hearingsToDoubt {
        travel(day)
      } else {
        state = .resident
        absorb(hearing, tuning)
      }
    case .doubted(let other) where isNear(other.coordinate, hearing, tuning):
      follow(other, hearing, tuning)
    case .doubted:
      travel(day)
    case .travelling(let since):
      if day >= since + tuning.blockedDays, moves <= months(to: day, tuning) + 1 {
        settle(at: hearing.coordinate, hearing, tuning)
      }
    }
    lastDay = max(lastDay, day)
  }

  private func isNear(_ place: Coordinate, _ hearing: Hearing, _ tuning: PositioningTuning.Learning) -> Bool {
    let distance = LocalFrame(origin: place).offset(of: hearing.coordinate).length.value
    return distance <= tuning.greatestRange + hearing.radius68.value
  }

  /// Whether it can be so strong where it was heard, with any exponent.
  private func isConsistent(_ hearing: Hearing, _ tuning: PositioningTuning.Learning) -> Bool {
    let distance = LocalFrame(origin: coordinate).offset(of: hearing.coordinate).length.value
    let own = 4 * max(covariance.x, covariance.z).squareRoot()
    return distance <= max(tuning.leastRange, hearing.distance.limit) + own + hearing.radius68.value
  }

  /// One more hearing of its place.
  private mutating func absorb(_ hearing: Hearing, _ tuning: PositioningTuning.Learning) {
    narrow(by: hearing, tuning)
    count = min(Int(UInt16.max), count + 1)
    let frame = LocalFrame(origin: heardAround)
    let step = frame.offset(of: hearing.coordinate)
    let share = 1 / Double(min(count, tuning.rememberedHearings))
    heardAround = frame.coordinate(
      at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters))
    if Self.kept(hearing.day) > lastDay { days = min(Int(UInt8.max), days + 1) }
  }

  /// What a hearing tells of where it is.
  private mutating func narrow(by hearing: Hearing, _ tuning: PositioningTuning.Learning) {
    let frame = LocalFrame(origin: coordinate)
    let step = frame.offset(of: hearing.coordinate)
    let fix = hearing.radius68.value / WiFiSolver.radiusOfDeviation
    var belief = PlaceBelief(
      mean: .zero, covariance: Symmetric2(xx: covariance.x, xy: covariance.y, yy: covariance.z))
    belief.learn(
      hearing.distance, from: SIMD2(step.eastMeters, step.northMeters),
      blur: 2 * fix * fix + tuning.leastDistance * tuning.leastDistance, tuning)
    coordinate = frame.coordinate(at: .init(eastMeters: belief.mean.x, northMeters: belief.mean.y))
    covariance = SIMD3(belief.covariance.xx, belief.covariance.xy, belief.covariance.yy)
  }

  /// One more hearing of another place.
  private mutating func follow(_ other: Elsewhere, _ hearing: Hearing, _ tuning: PositioningTuning.Learning) {
    let frame = LocalFrame(origin: other.coordinate)
    let step = frame.offset(of: hearing.coordinate)
    var other = other
    other.count += 1
    let share = 1 / Double(other.count)
    other.coordinate = frame.coordinate(
      at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters))
    let isAnotherDay = Self.kept(hearing.day) > other.day
    if other.count >= (isAnotherDay ? tuning.hearingsToMove : tuning.hearingsToMoveAtOnce) {
      // Who moves again and again travels.
      guard moves <= months(to: hearing.day, tuning) else { return travel(Self.kept(hearing.day)) }
      settle(at: other.coordinate, hearing, tuning)
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

  /// Starts anew.
  mutating func settle(at place: Coordinate, _ hearing: Hearing, _ tuning: PositioningTuning.Learning) {
    state = .resident
    (coordinate, heardAround) = (place, place)
    let variance = tuning.firstDeviation * tuning.firstDeviation
    covariance = SIMD3(variance, 0, variance)
    narrow(by: hearing, tuning)
    count = 1
    days = 1
  }
}

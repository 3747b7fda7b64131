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
    let isHome = isNear(coordinate, hearing, tuning)
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
      let months = (day - firstDay) / tuning.daysPerMove
      if day >= since + tuning.blockedDays, moves <= months + 1 { settle(at: hearing.coordinate, hearing) }
    }
    lastDay = max(lastDay, day)
  }

  private func isNear(_ place: Coordinate, _ hearing: Hearing, _ tuning: PositioningTuning.Learning) -> Bool {
    let distance = LocalFrame(origin: place).offset(of: hearing.coordinate).length.value
    return distance <= tuning.greatestRange + hearing.radius68.value
  }

  /// Weighted mean and covariance with one more (D. H. D. West, "Updating mean and variance estimates", 1979).
  private mutating func absorb(_ hearing: Hearing, _ tuning: PositioningTuning.Learning) {
    let frame = LocalFrame(origin: coordinate)
    let step = frame.offset(of: hearing.coordinate)
    let share = hearing.weight / (weight + hearing.weight)
    let (east, north) = (step.eastMeters, step.northMeters)
    let squares = SIMD3(east * east, east * north, north * north)
    scatter = (scatter + squares * share) * (1 - share)
    coordinate = frame.coordinate(at: .init(eastMeters: share * east, northMeters: share * north))
    weight = min(tuning.greatestWeight, weight + hearing.weight)
    count = min(Int(UInt16.max), count + 1)
    if Self.kept(hearing.day) > lastDay { days = min(Int(UInt8.max), days + 1) }
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
      settle(at: other.coordinate, hearing)
      count = other.count
      if isAnotherDay { days = 2 }
      moves = min(Int(UInt8.max), moves + 1)
    } else {
      state = .doubted(other)
    }
  }

  private mutating func travel(_ day: Int) {
    state = .travelling(since: day)
    moves = min(Int(UInt8.max), moves + 1)
  }

  /// Starts anew.
  private mutating func settle(at place: Coordinate, _ hearing: Hearing) {
    state = .resident
    coordinate = place
    scatter = .zero
    weight = hearing.weight
    count = 1
    days = 1
  }
}

import Fusion
package import Geodesy

/// Tells a receiver that stands still from one that moves, by the speed that it measures itself (Doppler): its positions
/// wander while it stands, its speed hardly does.
struct Standstill {
  /// What stands still wanders this far at least before it counts as displaced.
  static let leastReach = Meters(15)
  /// As many fixes in a row have to be fast: one alone is noise.
  static let departingFixes = 2
  /// And what is slow has to be beyond reach for so long: between houses, and where a receiver does not tell how far off it may
  /// be, single positions of one that stands lie anywhere.
  static let displacement: Duration = .seconds(10)

  /// What a fix means.
  enum Verdict: Hashable {
    /// It moves.
    case moving
    /// The first that stands still, here or, slow as it is, some way from where it stood.
    case arrived
    /// It stands still where it stood.
    case staying
    /// It may move: the next one tells.
    case wavering
    /// It moves, and so did the wavering ones before.
    case departed
  }

  private enum State {
    case moving
    /// `away`: since when its positions have been beyond reach, one after the other.
    case still(at: PositionFix, fast: Int, away: Instant?)
  }

  private var state = State.moving

  /// Judges the next fix; suspect ones are the caller's to leave out.
  mutating func add(_ fix: PositionFix) -> Verdict {
    switch (state, fix.isSlow) {
    case (.moving, true?):
      state = .still(at: fix, fast: 0, away: nil)
      return .arrived
    case (.moving, false?), (.moving, nil):
      return .moving
    case (.still(let place, _, let away), true?):
      guard !Self.isWithinReach(fix, of: place) else {
        state = .still(at: place, fast: 0, away: nil)
        return .staying
      }
      let since = away ?? fix.receivedAt
      let isElsewhere = fix.receivedAt - since >= Self.displacement
      state = .still(at: isElsewhere ? fix : place, fast: 0, away: isElsewhere ? nil : since)
      return isElsewhere ? .arrived : .wavering
    case (.still(let place, _, _), nil):
      // Only the place tells.
      let isHere = Self.isWithinReach(fix, of: place)
      state = .still(at: isHere ? place : fix, fast: 0, away: nil)
      return isHere ? .staying : .arrived
    case (.still(let place, let fast, let away), false?):
      guard fast + 1 < Self.departingFixes, Self.isWithinReach(fix, of: place) else {
        state = .moving
        return .departed
      }
      state = .still(at: place, fast: fast + 1, away: away)
      return .wavering
    }
  }

  /// Whether a fix can be of the same place as another, by the radii of both.
  static func isWithinReach(_ fix: PositionFix, of place: PositionFix) -> Bool {
    let radius = Math.hypot(fix.horizontalRadius68.value, place.horizontalRadius68.value)
    let distance = Geodesic.inverse(from: place.coordinate, to: fix.coordinate).distance
    return distance.value <= max(leastReach.value, 2 * radius)
  }
}

/// Where the machine stands still, and since when: by the speed that its fixes tell, and where they tell none by their places.
package struct StandingPlace: Sendable {
  private var standstill = Standstill()
  /// The fix with which it came to a stand; `nil`: it moves.
  package private(set) var place: PositionFix?

  package init() {}

  /// Judges the next fix. Suspect fixes are the caller's to leave out: neither a frozen receiver nor a jammed one says that nothing
  /// moves.
  package mutating func add(_ fix: PositionFix) {
    switch standstill.add(fix) {
    case .arrived: place = fix
    case .staying, .wavering: break
    case .departed: place = nil
    case .moving:
      // Without a speed (Wi-Fi), the place tells, late.
      let isHere = place.map { Standstill.isWithinReach(fix, of: $0) } ?? false
      if !isHere || fix.speedMetersPerSecond != nil { place = fix.speedMetersPerSecond == nil ? fix : nil }
    }
  }

  /// How long it has stood still; `nil`: it moves.
  package func duration(at now: Instant) -> Duration? { place.map { now - $0.receivedAt } }
}

import Fusion
package import Geodesy

/// Distinguishes a stationary receiver from a moving one by the speed that it measures (Doppler): while it stands, its positions
/// drift, but its speed hardly does.
struct Standstill {
  /// A stationary receiver counts as displaced only beyond this distance.
  static let leastReach = Meters(15)
  /// Within reach, this many consecutive fixes have to be fast: a single one is noise.
  static let departingFixes = 2
  /// Slow fixes have to be beyond reach for this long: between houses, and if a receiver does not report its accuracy, single
  /// positions of a stationary receiver may lie anywhere.
  static let displacement: Duration = .seconds(10)

  /// The meaning of a fix.
  enum Verdict: Hashable {
    /// It moves.
    case moving
    /// The first stationary fix at a place: after a movement, or beyond reach of the place before although no fix was fast.
    case arrived
    /// It stands still at the same place.
    case staying
    /// It may move: the next fixes decide.
    case wavering
    /// It moves, and the undecided fixes before were already part of the movement.
    case departed
  }

  private enum State {
    case moving
    /// `away`: when the first of the consecutive positions beyond reach was received.
    case still(at: PositionFix, fast: Int, away: Instant?)
  }

  private var state = State.moving

  /// Evaluates the next fix; the caller leaves out suspect ones.
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
      // Without a decision from the speed, the position decides.
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

  /// Whether two fixes can be of the same place, given their radii.
  static func isWithinReach(_ fix: PositionFix, of place: PositionFix) -> Bool {
    let radius = Math.hypot(fix.horizontalRadius68.value, place.horizontalRadius68.value)
    let distance = Geodesic.inverse(from: place.coordinate, to: fix.coordinate).distance
    return distance.value <= max(leastReach.value, 2 * radius)
  }
}

/// Where the machine stands still, and since when: from the speed of its fixes, or from their positions if they have no speed.
package struct StationaryPosition: Sendable {
  private var standstill = Standstill()
  /// The fix at which it stopped; `nil`: it moves, or there was no fix yet.
  package private(set) var place: PositionFix?

  package init() {}

  /// Evaluates the next fix. The caller leaves out suspect fixes: a frozen or jammed receiver does not prove a standstill.
  package mutating func add(_ fix: PositionFix) {
    switch standstill.add(fix) {
    case .arrived: place = fix
    case .staying, .wavering: break
    case .departed: place = nil
    case .moving:
      // Without a speed (Wi-Fi), the position decides: each fix beyond reach begins a new stay.
      let isHere = place.map { Standstill.isWithinReach(fix, of: $0) } ?? false
      if !isHere || fix.speedMetersPerSecond != nil { place = fix.speedMetersPerSecond == nil ? fix : nil }
    }
  }

  /// How long it has stood still; `nil`: it moves, or there was no fix yet.
  package func duration(at now: Instant) -> Duration? { place.map { now - $0.receivedAt } }
}

package import Geodesy

/// Says when to look where the machine is, for those who only want to be told what happens, so that everything may sleep meanwhile.
///
/// It rides along on whatever others ask for: each fix puts the next look off. Until then it is as far as the nearest border can be
/// reached, at the speed that is possible.
package struct LookPlanner: Sendable {
  /// What is wanted, as the last fix leaves it.
  package struct Need: Hashable, Sendable {
    /// How far the machine can go before anything happens at a border; `nil`: not known. Infinite: there is none.
    package var freeWay: Meters?
    /// Whether a crossing is to be made sure of, or it is not known yet where the machine is.
    package var isUnsettled: Bool
    /// Whether the way itself is of interest: visits.
    package var followsTravel: Bool
    /// Whether it is of interest how far the machine has come: significant changes.
    package var followsMoves: Bool
    /// By when a position is wanted whatever else holds; `nil`: no such time. For regions that may become unknown, and for entries that
    /// count after a while.
    package var lookBy: Instant?
    /// A 68 % radius that has to be met, however long the machine stands still; `nil`: none.
    package var greatestRadius: Meters?

    package init(
      freeWay: Meters? = Meters(.infinity), isUnsettled: Bool = false, followsTravel: Bool = false,
      followsMoves: Bool = false, lookBy: Instant? = nil, greatestRadius: Meters? = nil
    ) {
      self.freeWay = freeWay
      self.isUnsettled = isUnsettled
      self.followsTravel = followsTravel
      self.followsMoves = followsMoves
      (self.lookBy, self.greatestRadius) = (lookBy, greatestRadius)
    }
  }

  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// What is wanted has changed; `nil`: nothing is.
    case need(Need?)
    /// A fix has come, of whatever source, and left this to be wanted. `speedBound`: how fast the machine may be, metres per second;
    /// `nil`: nobody knows.
    case fix(PositionFix, Need, speedBound: Double?)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    /// Ask for positions; a 68 % radius of so much is good enough.
    case look(sufficient: Meters)
    /// Ask for none.
    case rest
  }

  private enum State {
    case off
    case looking(since: Instant, sufficient: Meters, fixes: Int)
    case resting(until: Instant)
  }

  private let limits: LookLimits
  private var state = State.off
  private var need: Need?
  /// Where the machine has been since.
  private var anchor: (place: PositionFix, since: Instant)?
  private var lastFix: (fix: PositionFix, at: Instant)?
  /// Looks in a row that have found nothing.
  private var failures = 0
  private var unsettledSince: Instant?

  package init(_ limits: LookLimits = LookLimits()) { self.limits = limits }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .off: nil
    case .looking(let since, _, let fixes): since + (fixes > 0 ? limits.settling : limits.patience)
    case .resting(let until): until
    }
  }

  /// Whether positions are asked for.
  package var isLooking: Bool { if case .looking = state { true } else { false } }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .need(let need):
      let before = self.need
      self.need = need
      guard let need else {
        defer { (state, anchor, lastFix, failures, unsettledSince) = (.off, nil, nil, 0, nil) }
        return isLooking ? [.rest] : []
      }
      // What is new is looked at soon.
      if before == nil || need.isUnsettled && before?.isUnsettled == false { return look(need, at: now) }
      if case .resting(let until) = state, let lookBy = need.lookBy, lookBy < until {
        state = .resting(until: max(lookBy, now))
      }
      return []
    case .fix(let fix, let need, let speedBound):
      guard self.need != nil else { return [] }
      self.need = need
      return see(fix, need, speedBound, at: now)
    case .wake: return wake(at: now)
    }
  }

  private mutating func look(_ need: Need, at now: Instant) -> [Action] {
    let sufficient = sufficientRadius(need, at: now)
    if case .looking(_, sufficient, _) = state { return [] }
    let since: Instant = if case .looking(let since, _, _) = state { since } else { now }
    state = .looking(since: since, sufficient: sufficient, fixes: 0)
    return [.look(sufficient: sufficient)]
  }

  private func sufficientRadius(_ need: Need, at now: Instant) -> Meters {
    let radius = radiusOfWay(need, at: now)
    return need.greatestRadius.map { max(min(radius, $0), limits.sufficient.lowerBound) } ?? radius
  }

  private func radiusOfWay(_ need: Need, at now: Instant) -> Meters {
    // Whether it is still there anything tells.
    if isStill(at: now), !need.isUnsettled { return limits.sufficient.upperBound }
    // A quarter of the way leaves no doubt on which side it is.
    let wanted = need.freeWay.map { $0.value.isFinite ? $0 * 0.25 : limits.sufficient.upperBound }
    return min(max(wanted ?? Meters(50), limits.sufficient.lowerBound), limits.sufficient.upperBound)
  }

  private mutating func see(_ fix: PositionFix, _ need: Need, _ bound: Double?, at now: Instant) -> [Action] {
    guard fix.suspicion == nil else { return [] }
    note(fix, at: now)
    lastFix = (fix, now)
    failures = 0
    unsettledSince = need.isUnsettled ? unsettledSince ?? now : nil
    guard case .looking(let since, let sufficient, let fixes) = state else {
      state = .resting(until: now + max(rest(need, bound, at: now), limits.shortestRest))
      return []
    }
    let isEnough = fix.horizontalRadius68 <= sufficient || now - since >= limits.settling
    let rest = rest(need, bound, at: now)
    guard isEnough, rest >= limits.shortestRest else {
      state = .looking(since: since, sufficient: sufficient, fixes: fixes + 1)
      // What was good enough far from a border is not near to it.
      return sufficientRadius(need, at: now) < sufficient * 0.5 ? look(need, at: now) : []
    }
    state = .resting(until: now + rest)
    return [.rest]
  }

  private mutating func wake(at now: Instant) -> [Action] {
    guard let need else { return [] }
    switch state {
    case .off: return []
    case .resting(let until): return now >= until ? look(need, at: now) : []
    case .looking(let since, let sufficient, let fixes):
      if fixes > 0 {
        guard now - since >= limits.settling, let lastFix else { return [] }
        // Satellites may have gone silent while a crossing was made sure of.
        let rest =
          now - lastFix.at >= limits.settling ? within(need, limits.still, at: now) : rest(need, nil, at: now)
        guard rest >= limits.shortestRest else {
          state = .looking(since: now, sufficient: sufficient, fixes: 0)
          return []
        }
        state = .resting(until: now + rest)
      } else {
        guard now - since >= limits.patience else { return [] }
        failures = min(failures + 1, 8)
        let rest = within(
          need, min(limits.still * (1 << (failures - 1)), limits.longestRestAfterNothing), at: now)
        guard rest >= limits.shortestRest else {
          state = .looking(since: now, sufficient: sufficient, fixes: 0)
          return []
        }
        state = .resting(until: now + rest)
      }
      return [.rest]
    }
  }

  // MARK: - How long

  /// Whether the machine is where it has been for a while.
  private mutating func note(_ fix: PositionFix, at now: Instant) {
    if let anchor, isNear(fix, anchor.place), fix.speedMetersPerSecond ?? 0 < limits.leastSpeed { return }
    anchor = (fix, now)
  }

  private func isNear(_ one: PositionFix, _ other: PositionFix) -> Bool {
    let way = Geodesic.inverse(from: one.coordinate, to: other.coordinate).distance
    return way.value <= limits.reach.value + 2 * max(one.horizontalRadius68.value, other.horizontalRadius68.value)
  }

  private func isStill(at now: Instant) -> Bool { anchor.map { now - $0.since >= limits.stillness } ?? false }

  private func rest(_ need: Need, _ bound: Double?, at now: Instant) -> Duration {
    if need.isUnsettled, let since = unsettledSince, now - since < limits.doubt { return .zero }
    let still = isStill(at: now)
    let speed = max(bound.flatMap { $0 > 0 ? $0 : nil } ?? limits.greatestSpeed, limits.leastSpeed)
    let seconds = (need.freeWay?.value ?? 0) / speed
    var rest: Duration = seconds < limits.longestRest.inSeconds ? .seconds(seconds) : limits.longestRest
    // Standing still it takes a while to be anywhere, which nobody can be sure of.
    if still { rest = max(rest, limits.still) }
    if need.followsTravel { rest = min(rest, still ? limits.still : limits.travelling) }
    if need.followsMoves { rest = min(rest, still ? limits.still : limits.travelling * 2) }
    return within(need, rest, at: now)
  }

  /// As much of a rest as there is before the next position is wanted.
  private func within(_ need: Need, _ rest: Duration, at now: Instant) -> Duration {
    need.lookBy.map { min(rest, max(.zero, $0 - now)) } ?? rest
  }
}

/// How often it is looked where the machine is for those who only want to hear what happens. All of these are ours: Apple states
/// that a region's event may come minutes late (Documentation/Behavior.md, "Regions").
package struct LookLimits: Sendable {
  /// From one look to the next where the machine stands still, as far as anybody can tell: it may set out at any moment.
  package var still: Duration = .seconds(180)
  /// While it moves and its way is of interest, as for visits.
  package var travelling: Duration = .seconds(30)
  /// A rest that would be shorter saves nothing: receivers take some seconds to come back.
  package var shortestRest: Duration = .seconds(30)
  /// And none is longer.
  package var longestRest: Duration = .seconds(1800)
  /// A look that has found a position, if not a good one, ends after this,
  package var settling: Duration = .seconds(30)
  /// and one that has found none after this; then each rest is twice the one before.
  package var patience: Duration = .seconds(60)
  package var longestRestAfterNothing: Duration = .seconds(900)
  /// A crossing that cannot be made sure of for so long is left to the next look: who stands on a border does not keep satellites on.
  package var doubt: Duration = .seconds(90)
  /// Whoever is within reach of one place for so long stands still.
  package var stillness: Duration = .seconds(120)
  package var reach = Meters(50)
  /// Metres per second: nobody who stands still is as fast.
  package var leastSpeed = 1.5
  /// What a car on a motorway moves in a second, metres, where nobody knows how the machine moves.
  package var greatestSpeed = 40.0
  /// A look is good enough with the radius that the nearest border leaves room for, within these.
  package var sufficient: ClosedRange<Meters> = Meters(20)...Meters(150)

  package init() {}
}

package import Geodesy

/// Schedules the position checks for clients that only need events (regions, visits, significant changes), so that the sources can
/// sleep in between.
///
/// Also uses the fixes that other clients request: each one postpones the next check until the machine, at its possible speed,
/// could reach the nearest border.
package struct MonitoringScheduler: Sendable {
  /// What the monitoring needs after the last fix.
  package struct Need: Hashable, Sendable {
    /// Distance to the nearest border at which something can happen; `nil`: not known. Infinite: there is no border.
    package var distanceToNearestBorder: Meters?
    /// Whether a crossing has to be confirmed, or the position is not known yet.
    package var isUnsettled: Bool
    /// Whether the route itself matters: visits.
    package var followsTravel: Bool
    /// Whether the distance traveled matters: significant changes.
    package var followsMoves: Bool
    /// Latest time of the next position in any case; `nil`: none. For regions that may become unknown, and for entries that count
    /// only after a delay.
    package var checkBy: Instant?
    /// A 68 % radius that has to be met even during a long standstill; `nil`: none.
    package var greatestRadius: Meters?

    package init(
      distanceToNearestBorder: Meters? = Meters(.infinity), isUnsettled: Bool = false, followsTravel: Bool = false,
      followsMoves: Bool = false, checkBy: Instant? = nil, greatestRadius: Meters? = nil
    ) {
      self.distanceToNearestBorder = distanceToNearestBorder
      self.isUnsettled = isUnsettled
      self.followsTravel = followsTravel
      self.followsMoves = followsMoves
      (self.checkBy, self.greatestRadius) = (checkBy, greatestRadius)
    }
  }

  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// The need has changed; `nil`: there is none.
    case need(Need?)
    /// A fix of any source, and the need that results from it. `speedBound`: upper bound of the machine's speed, meters per second;
    /// `nil`: not known.
    case fix(PositionFix, Need, speedBound: Double?)
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Request positions; a 68 % radius of `sufficient` is good enough.
    case checkPosition(sufficient: Meters)
    /// Stop requesting positions.
    case rest
  }

  private enum State {
    case off
    case checking(since: Instant, sufficient: Meters, fixes: Int)
    case resting(until: Instant)
  }

  private let limits: MonitoringIntervals
  private var state = State.off
  private var need: Need?
  /// Where the machine stands, and since when.
  private var anchor: (place: PositionFix, since: Instant)?
  private var lastFix: (fix: PositionFix, at: Instant)?
  /// Consecutive position checks without a position.
  private var failures = 0
  private var unsettledSince: Instant?

  package init(_ limits: MonitoringIntervals = MonitoringIntervals()) { self.limits = limits }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .off: nil
    case .checking(let since, _, let fixes): since + (fixes > 0 ? limits.settling : limits.patience)
    case .resting(let until): until
    }
  }

  /// Whether positions are requested.
  package var isCheckingPosition: Bool { if case .checking = state { true } else { false } }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .need(let need):
      let before = self.need
      self.need = need
      guard let need else {
        defer { (state, anchor, lastFix, failures, unsettledSince) = (.off, nil, nil, 0, nil) }
        return isCheckingPosition ? [.rest] : []
      }
      // A new need, or one that has become unsettled, gets a position check at once.
      if before == nil || need.isUnsettled && before?.isUnsettled == false { return startCheck(need, at: now) }
      if case .resting(let until) = state, let checkBy = need.checkBy, checkBy < until {
        state = .resting(until: max(checkBy, now))
      }
      return []
    case .fix(let fix, let need, let speedBound):
      guard self.need != nil else { return [] }
      self.need = need
      return update(fix, need, speedBound, at: now)
    case .wake: return wake(at: now)
    }
  }

  private mutating func startCheck(_ need: Need, at now: Instant) -> [Action] {
    let sufficient = sufficientRadius(need, at: now)
    if case .checking(_, sufficient, _) = state { return [] }
    let since: Instant = if case .checking(let since, _, _) = state { since } else { now }
    state = .checking(since: since, sufficient: sufficient, fixes: 0)
    return [.checkPosition(sufficient: sufficient)]
  }

  private func sufficientRadius(_ need: Need, at now: Instant) -> Meters {
    let radius = radiusOfWay(need, at: now)
    return need.greatestRadius.map { max(min(radius, $0), limits.sufficient.lowerBound) } ?? radius
  }

  private func radiusOfWay(_ need: Need, at now: Instant) -> Meters {
    // Any position shows whether the machine is still there.
    if isStill(at: now), !need.isUnsettled { return limits.sufficient.upperBound }
    // A quarter of the distance leaves no doubt about the side of the border.
    let wanted = need.distanceToNearestBorder.map { $0.value.isFinite ? $0 * 0.25 : limits.sufficient.upperBound }
    return min(max(wanted ?? Meters(50), limits.sufficient.lowerBound), limits.sufficient.upperBound)
  }

  private mutating func update(_ fix: PositionFix, _ need: Need, _ bound: Double?, at now: Instant) -> [Action] {
    guard fix.qualityFlag == nil else { return [] }
    note(fix, at: now)
    lastFix = (fix, now)
    failures = 0
    unsettledSince = need.isUnsettled ? unsettledSince ?? now : nil
    guard case .checking(let since, let sufficient, let fixes) = state else {
      state = .resting(until: now + max(rest(need, bound, at: now), limits.shortestRest))
      return []
    }
    let isEnough = fix.horizontalRadius68 <= sufficient || now - since >= limits.settling
    let rest = rest(need, bound, at: now)
    guard isEnough, rest >= limits.shortestRest else {
      state = .checking(since: since, sufficient: sufficient, fixes: fixes + 1)
      // A radius that was good enough far from a border is too large near it.
      return sufficientRadius(need, at: now) < sufficient * 0.5 ? startCheck(need, at: now) : []
    }
    state = .resting(until: now + rest)
    return [.rest]
  }

  private mutating func wake(at now: Instant) -> [Action] {
    guard let need else { return [] }
    switch state {
    case .off: return []
    case .resting(let until): return now >= until ? startCheck(need, at: now) : []
    case .checking(let since, let sufficient, let fixes):
      if fixes > 0 {
        guard now - since >= limits.settling, let lastFix else { return [] }
        // Satellite reception may have ended while a crossing was being confirmed.
        let rest =
          now - lastFix.at >= limits.settling ? within(need, limits.still, at: now) : rest(need, nil, at: now)
        guard rest >= limits.shortestRest else {
          state = .checking(since: now, sufficient: sufficient, fixes: 0)
          return []
        }
        state = .resting(until: now + rest)
      } else {
        guard now - since >= limits.patience else { return [] }
        failures = min(failures + 1, 8)
        let rest = within(
          need, min(limits.still * (1 << (failures - 1)), limits.longestRestAfterNothing), at: now)
        guard rest >= limits.shortestRest else {
          state = .checking(since: now, sufficient: sufficient, fixes: 0)
          return []
        }
        state = .resting(until: now + rest)
      }
      return [.rest]
    }
  }

  // MARK: - How long

  /// Records whether the machine has stayed at one place for a while.
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
    let seconds = (need.distanceToNearestBorder?.value ?? 0) / speed
    var rest: Duration = seconds < limits.longestRest.inSeconds ? .seconds(seconds) : limits.longestRest
    // A machine that stands still needs time to get anywhere; the standstill itself is not certain.
    if still { rest = max(rest, limits.still) }
    if need.followsTravel { rest = min(rest, still ? limits.still : limits.travelling) }
    if need.followsMoves { rest = min(rest, still ? limits.still : limits.travelling * 2) }
    return within(need, rest, at: now)
  }

  /// Limits a rest to the time until the next position is needed.
  private func within(_ need: Need, _ rest: Duration, at now: Instant) -> Duration {
    need.checkBy.map { min(rest, max(.zero, $0 - now)) } ?? rest
  }
}

/// Intervals of the position checks for clients that only need events. All values are ours: Apple states that a region's event may
/// come minutes late (Documentation/Behavior.md, "Regions").
package struct MonitoringIntervals: Sendable {
  /// Interval while the machine appears to stand still: it may start to move at any moment.
  package var still: Duration = .seconds(180)
  /// Interval while the machine moves and its route matters, as for visits.
  package var travelling: Duration = .seconds(30)
  /// A shorter rest saves nothing: receivers take some seconds to resume.
  package var shortestRest: Duration = .seconds(30)
  /// The longest rest.
  package var longestRest: Duration = .seconds(1800)
  /// A check with an insufficient position ends after this time.
  package var settling: Duration = .seconds(30)
  /// A check without a position ends after this time; each further rest is then twice the one before.
  package var patience: Duration = .seconds(60)
  package var longestRestAfterNothing: Duration = .seconds(900)
  /// A crossing not confirmed within this time is left to the next check, so that a machine on a border does not keep the
  /// satellites on.
  package var doubt: Duration = .seconds(90)
  /// A machine within `reach` of one place for this long stands still.
  package var stillness: Duration = .seconds(120)
  package var reach = Meters(50)
  /// Meters per second: faster than any measured speed of a machine at rest.
  package var leastSpeed = 1.5
  /// Assumed speed if the motion is not known: a car on a motorway, meters per second.
  package var greatestSpeed = 40.0
  /// Limits of the radius that is good enough for a check; within them the distance to the nearest border determines it.
  package var sufficient: ClosedRange<Meters> = Meters(20)...Meters(150)

  package init() {}
}

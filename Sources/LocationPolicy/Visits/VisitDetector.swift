package import Geodesy

/// Detects where the machine stays and reports arrivals and departures: late, but reliably, and with the best estimate of the true
/// time (Documentation/Behavior.md, "Visits").
///
/// Uses fixes of any source and requests none itself. A stay is several minutes within reach of one place, a gap between two fixes
/// at one place, or a gap after a slow fix; its start is found in the fixes recorded before. `VisitTuning.mostFixes` bounds the
/// memory.
package struct VisitDetector: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Starts. `resuming`: the stay that was in progress at the last stop.
    case start(resuming: Visit?)
    case fix(PositionFix)
    /// The machine was connected to its charger, or has joined its home network.
    case hint
    /// There was no observation, or no authorization, since the previous fix: events in that period have no times.
    case unobserved
    case stop
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    case arrived(Visit)
    case departed(Visit)
  }

  private enum State {
    case off
    case travelling
    case staying(Stay)
  }

  /// A stay that has been reported.
  private struct Stay {
    var centre: StayCenter
    let arrival: GNSSTime?
    /// Whether no fix has been at the place since an unobserved period: the machine may have left during it.
    var isUnseen = false
    /// The last fix at the doorstep, and all fixes since.
    var sinceDoor: [StayPoint] = []
    /// Number of consecutive fixes beyond reach, and the time of the first.
    var beyond: (count: Int, since: Instant)?

    var visit: Visit {
      Visit(coordinate: centre.coordinate, horizontalRadius68: Meters(centre.radius68), arrival: arrival)
    }
  }

  private var state = State.off
  /// Fixes since the last stay, newest last.
  private var points: [StayPoint] = []
  /// Whether `points` reaches back to the start of the observation.
  private var isFromBeginning = true
  private var hintedAt: Instant?

  package init() {}

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    guard case .travelling = state, let last = points.last, last.isSlow else { return nil }
    return last.instant + VisitTuning.silence
  }

  /// The stay in progress, to be passed to the next machine when it starts.
  package var stay: Visit? { if case .staying(let stay) = state { stay.visit } else { nil } }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .start(let visit)):
      (points, isFromBeginning, hintedAt) = ([], true, nil)
      state =
        visit.map {
          .staying(
            Stay(
              centre: StayCenter($0.coordinate, radius68: $0.horizontalRadius68.value), arrival: $0.arrival,
              isUnseen: true))
        } ?? .travelling
      return []
    case (.off, .unobserved): return []
    case (.travelling, .unobserved):
      (points, isFromBeginning, hintedAt) = ([], true, nil)
      return []
    case (.staying(var stay), .unobserved):
      (stay.sinceDoor, stay.beyond, stay.isUnseen) = ([], nil, true)
      state = .staying(stay)
      return []
    case (_, .stop):
      (state, points) = (.off, [])
      return []
    case (.off, .fix), (.off, .hint), (.off, .wake), (.staying, .hint), (.staying, .wake): return []
    case (.travelling, .hint):
      hintedAt = now
      return lookForArrival(at: now)
    case (.travelling, .wake):
      guard let last = points.last, last.isSlow, now - last.instant >= VisitTuning.silence else { return [] }
      return arrive(StayCenter(last.coordinate, radius68: last.radius68))
    case (.travelling, .fix(let fix)):
      guard let point = admit(fix) else { return [] }
      return travel(to: point, at: now)
    case (.staying(let stay), .fix(let fix)):
      guard let point = admit(fix) else { return [] }
      return update(point, stay, at: now)
    }
  }

  /// Converts a usable fix; `nil`: it is suspect, too coarse or too soon after the last one.
  private func admit(_ fix: PositionFix) -> StayPoint? {
    guard fix.qualityFlag == nil, fix.horizontalRadius68 <= VisitTuning.coarsest else { return nil }
    let last: Instant? =
      if case .staying(let stay) = state { stay.sinceDoor.last?.instant } else { points.last?.instant }
    if let last, fix.receivedAt - last < VisitTuning.spacing { return nil }
    return StayPoint(fix)
  }

  // MARK: On the way

  private mutating func travel(to point: StayPoint, at now: Instant) -> [Action] {
    if let last = points.last, point.instant - last.instant >= VisitTuning.dwell,
      point.isWithinReach(of: last.coordinate)
    {
      // There was no fix in between, and the machine is at the same place: it was there all the time.
      let actions = arrive(StayCenter(last.coordinate, radius68: last.radius68))
      guard case .staying(let stay) = state else { return actions }
      return actions + update(point, stay, at: now)
    }
    points.append(point)
    if points.count > VisitTuning.mostFixes {
      points.removeFirst(points.count - VisitTuning.mostFixes)
      isFromBeginning = false
    }
    return lookForArrival(at: now)
  }

  private mutating func lookForArrival(at now: Instant) -> [Action] {
    let isHinted = hintedAt.map { now - $0 <= VisitTuning.hintLifetime } ?? false
    let dwell = isHinted ? VisitTuning.dwellWithHint : VisitTuning.dwell
    guard let last = points.last,
      // The newest one that is old enough, so that the window is no longer than necessary.
      let first = points.lastIndex(where: { last.instant - $0.instant >= dwell }),
      let centre = StayCenter(of: points[first...]), points[first].isWithinReach(of: centre.coordinate),
      last.isWithinReach(of: centre.coordinate)
    else { return [] }
    return arrive(centre)
  }

  private mutating func arrive(_ centre: StayCenter) -> [Action] {
    let arrival = arrivalTime(at: centre.coordinate)
    var stay = Stay(centre: centre, arrival: arrival)
    stay.sinceDoor = points.last.map { [$0] } ?? []
    state = .staying(stay)
    (points, hintedAt) = ([], nil)
    return [.arrived(stay.visit)]
  }

  /// When the machine reached the doorstep; `nil`: it was there before the observation began.
  private func arrivalTime(at place: Coordinate) -> GNSSTime? {
    guard var first = points.indices.last else { return nil }
    // Goes back until two consecutive fixes were elsewhere: a single one may be wrong.
    while first > 0,
      points[first - 1].isWithinReach(of: place) || (first > 1 && points[first - 2].isWithinReach(of: place))
    {
      first -= 1
    }
    if first == 0, isFromBeginning { return nil }
    let door = points[first...].firstIndex { $0.isAtTheDoor(of: place) } ?? first
    guard door > 0 else { return points[door].time }
    return crossing(from: points[door - 1], to: points[door], at: place)
  }

  // MARK: At a place

  private mutating func update(_ point: StayPoint, _ stay: Stay, at now: Instant) -> [Action] {
    var stay = stay
    let place = stay.centre.coordinate
    if point.isAtTheDoor(of: place) { stay.sinceDoor = [] }
    stay.sinceDoor.append(point)
    if stay.sinceDoor.count > VisitTuning.mostFixes { stay.sinceDoor.remove(at: 1) }
    if point.isWithinReach(of: place) {
      stay.centre.add(point)
      (stay.beyond, stay.isUnseen) = (nil, false)
    } else {
      let beyond = (count: (stay.beyond?.count ?? 0) + 1, since: stay.beyond?.since ?? point.instant)
      stay.beyond = beyond
      let isFar = point.distance(to: place) - 2 * point.radius68 > VisitTuning.away.value && beyond.count > 1
      let isLong =
        beyond.count >= VisitTuning.leaving.fixes && point.instant - beyond.since >= VisitTuning.leaving.duration
      if isFar || isLong { return depart(stay) }
    }
    state = .staying(stay)
    return []
  }

  private mutating func depart(_ stay: Stay) -> [Action] {
    var visit = stay.visit
    let place = stay.centre.coordinate
    let track = stay.sinceDoor
    visit.hasEnded = true
    if !stay.isUnseen, let out = track.first(where: { !$0.isAtTheDoor(of: place) }) {
      let last = track.first.flatMap { $0.isAtTheDoor(of: place) ? $0 : nil }
      visit.departure = last.map { crossing(from: out, to: $0, at: place) } ?? .some(out.time)
    }
    if let arrival = visit.arrival, let departure = visit.departure { visit.departure = max(arrival, departure) }
    state = .travelling
    points = track.filter { !$0.isAtTheDoor(of: place) }
    // If the departure was not observed, the time since it is not either.
    isFromBeginning = stay.isUnseen
    return [.departed(visit)]
  }

  /// When the machine was at the doorstep, between a fix away from it and one there, in either order; `nil`: not known.
  private func crossing(from away: StayPoint, to there: StayPoint, at place: Coordinate) -> GNSSTime? {
    let (far, near) = (away.distance(to: place), there.distance(to: place))
    let step = there.time - away.time
    let seconds = step.inSeconds
    guard abs(seconds) > VisitTuning.longestStep.inSeconds else {
      let door = max(VisitTuning.doorstep.value, near)
      let share = far > near ? min(1, max(0, (far - door) / (far - near))) : 1
      return away.time + .seconds(seconds * share)
    }
    // The machine is assumed to have covered the distance right after (on departure, right before) `away`, at the speed of that
    // fix, and in no more than the time between the two fixes.
    let way = far / max(away.speed ?? 0, VisitTuning.assumedSpeed)
    let bounded = min(abs(seconds), way)
    guard bounded <= VisitTuning.longestGuess.inSeconds else { return nil }
    return away.time + .seconds(seconds < 0 ? -bounded : bounded)
  }
}

/// Thresholds of stays and stops. All values are ours: Apple states none. They were tuned on simulated weeks with seeds other than
/// those used for the evaluation.
enum VisitTuning {
  /// Minimum duration of a stay: longer than most traffic lights, level crossings and queues take.
  static let dwell: Duration = .seconds(7 * 60)
  /// Minimum duration if a hint supports the stay: the charger, or the home network.
  static let dwellWithHint: Duration = .seconds(120)
  /// How long a hint counts.
  static let hintLifetime: Duration = .seconds(600)
  /// A gap this long after a slow fix means that the machine has gone indoors.
  static let silence: Duration = .seconds(10 * 60)
  /// Minimum radius of a place around its center: a house with its garden.
  static let reach = Meters(60)
  /// A fix within this distance of the center, or within its own radius, is at the doorstep.
  static let doorstep = Meters(20)
  /// The machine has left if a fix is further away than this even when twice its radius is subtracted, and the fix before it was
  /// beyond reach, too.
  static let away = Meters(250)
  /// A machine that is less far away has left after this duration beyond reach, confirmed by this many fixes.
  static let leaving: (duration: Duration, fixes: Int) = (.seconds(60), 3)
  /// Maximum share of a stay's fixes that may lie elsewhere.
  static let outliers = 0.1
  /// Coarser fixes are ignored.
  static let coarsest = Meters(250)
  /// A fix that follows sooner is ignored.
  static let spacing: Duration = .seconds(5)
  /// Maximum number of fixes kept, newest last.
  static let mostFixes = 180
  /// Between two fixes further apart than this, the time of a crossing cannot be interpolated.
  static let longestStep: Duration = .seconds(60)
  /// A time that may be wrong by more than this is not reported.
  static let longestGuess: Duration = .seconds(3600)
  /// Assumed speed if the fix has none or a lower one: a pedestrian, m/s.
  static let assumedSpeed = 1.4
}

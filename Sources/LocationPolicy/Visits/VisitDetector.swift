package import Geodesy

/// Finds out where the machine stays, and tells when it has arrived and when it has left: late, but sure, and with the best estimate
/// of the true time (Documentation/Behavior.md, "Visits").
///
/// Rides along on fixes of any source. A stay is some minutes within reach of one place, or a silence between two fixes of one
/// place; its beginning is looked up in what was heard before. Memory is bounded by `VisitTuning.mostFixes`.
package struct VisitDetector: Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// Begins. `resuming`: the stay that was under way when it ended last.
    case start(resuming: Visit?)
    case fix(PositionFix)
    /// It was put on its charger, or has joined the network of its home.
    case hint
    /// Nobody looked, or was allowed to, since the fix before this: what happened meanwhile has no times.
    case unobserved
    case stop
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    case arrived(Visit)
    case departed(Visit)
  }

  private enum State {
    case off
    case travelling
    case staying(Stay)
  }

  /// A stay that has been told.
  private struct Stay {
    var centre: StayCentre
    let arrival: GNSSTime?
    /// Whether nothing has been seen of the place since a spell in which nobody looked: it may have been left in that.
    var isUnseen = false
    /// The last fix at the door, and all since.
    var sinceDoor: [StayPoint] = []
    /// Fixes in a row that are beyond reach, and since when.
    var beyond: (count: Int, since: Instant)?

    var visit: Visit {
      Visit(coordinate: centre.coordinate, horizontalRadius68: Meters(centre.radius68), arrival: arrival)
    }
  }

  private var state = State.off
  /// What was heard on the way, newest last.
  private var points: [StayPoint] = []
  /// Whether `points` begins where the machine was first looked at.
  private var isFromBeginning = true
  private var hintedAt: Instant?

  package init() {}

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    guard case .travelling = state, let last = points.last, last.isSlow else { return nil }
    return last.instant + VisitTuning.silence
  }

  /// The stay that is under way, to be told to the next machine as it begins.
  package var stay: Visit? { if case .staying(let stay) = state { stay.visit } else { nil } }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .start(let visit)):
      (points, isFromBeginning, hintedAt) = ([], true, nil)
      state =
        visit.map {
          .staying(
            Stay(
              centre: StayCentre($0.coordinate, radius68: $0.horizontalRadius68.value), arrival: $0.arrival,
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
      return arrive(StayCentre(last.coordinate, radius68: last.radius68))
    case (.travelling, .fix(let fix)):
      guard let point = admit(fix) else { return [] }
      return travel(to: point, at: now)
    case (.staying(let stay), .fix(let fix)):
      guard let point = admit(fix) else { return [] }
      return see(point, stay, at: now)
    }
  }

  /// What a fix says; `nil`: nothing, or nothing new.
  private func admit(_ fix: PositionFix) -> StayPoint? {
    guard fix.suspicion == nil, fix.horizontalRadius68 <= VisitTuning.coarsest else { return nil }
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
      // Nothing was heard, and it is still there: so it was all the time.
      let actions = arrive(StayCentre(last.coordinate, radius68: last.radius68))
      guard case .staying(let stay) = state else { return actions }
      return actions + see(point, stay, at: now)
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
      // The newest that is old enough, so that the window is not longer than it has to be.
      let first = points.lastIndex(where: { last.instant - $0.instant >= dwell }),
      let centre = StayCentre(of: points[first...]), points[first].isWithinReach(of: centre.coordinate),
      last.isWithinReach(of: centre.coordinate)
    else { return [] }
    return arrive(centre)
  }

  private mutating func arrive(_ centre: StayCentre) -> [Action] {
    let arrival = arrivalTime(at: centre.coordinate)
    var stay = Stay(centre: centre, arrival: arrival)
    stay.sinceDoor = points.last.map { [$0] } ?? []
    state = .staying(stay)
    (points, hintedAt) = ([], nil)
    return [.arrived(stay.visit)]
  }

  /// When the machine came to the door; `nil`: it was there before anybody looked.
  private func arrivalTime(at place: Coordinate) -> GNSSTime? {
    guard var first = points.indices.last else { return nil }
    // Back to where two in a row were elsewhere: one alone may be wrong.
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

  private mutating func see(_ point: StayPoint, _ stay: Stay, at now: Instant) -> [Action] {
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
    // Where it has been since it left is not known either.
    isFromBeginning = stay.isUnseen
    return [.departed(visit)]
  }

  /// When it was at the door between one fix away from it and one there, whichever came first; `nil`: nobody can tell.
  private func crossing(from away: StayPoint, to there: StayPoint, at place: Coordinate) -> GNSSTime? {
    let (far, near) = (away.distance(to: place), there.distance(to: place))
    let step = there.time - away.time
    let seconds = step.inSeconds
    guard abs(seconds) > VisitTuning.longestStep.inSeconds else {
      let door = max(VisitTuning.doorstep.value, near)
      let share = far > near ? min(1, max(0, (far - door) / (far - near))) : 1
      return away.time + .seconds(seconds * share)
    }
    // It went at its speed, and no further than that.
    let way = far / max(away.speed ?? 0, VisitTuning.assumedSpeed)
    let bounded = min(abs(seconds), way)
    guard bounded <= VisitTuning.longestGuess.inSeconds else { return nil }
    return away.time + .seconds(seconds < 0 ? -bounded : bounded)
  }
}

/// What is a stay, and what is a stop. All of these are ours: Apple states none. They were sought on simulated weeks of other seeds
/// than those that are judged.
enum VisitTuning {
  /// Who stays for so long has arrived: longer than lights, level crossings and most queues last,
  static let dwell: Duration = .seconds(7 * 60)
  /// and for so long, where something else says so as well: the charger, the network of one's home.
  static let dwellWithHint: Duration = .seconds(120)
  /// A hint speaks for the minutes around it.
  static let hintLifetime: Duration = .seconds(600)
  /// Who is not heard of any more, and stood still, has gone inside.
  static let silence: Duration = .seconds(10 * 60)
  /// Reckoned from its centre, a place is so large at least: a house with its garden.
  static let reach = Meters(60)
  /// Who is so near, or as near as the fix can tell, is there.
  static let doorstep = Meters(20)
  /// And who is so far away has left.
  static let away = Meters(250)
  /// Else who is beyond reach for so long, by as many fixes.
  static let leaving: (duration: Duration, fixes: Int) = (.seconds(60), 3)
  /// Of the fixes of a stay, so many may lie elsewhere.
  static let outliers = 0.1
  /// Coarser ones say nothing of a place.
  static let coarsest = Meters(250)
  /// Fixes that follow sooner say nothing new.
  static let spacing: Duration = .seconds(5)
  /// And as many are held, newest last.
  static let mostFixes = 180
  /// Between two fixes that are further apart, nobody knows when it was where.
  static let longestStep: Duration = .seconds(60)
  /// What may be wrong by more is no estimate of a time.
  static let longestGuess: Duration = .seconds(3600)
  /// Then it went as a pedestrian does, m/s, where its fix does not tell.
  static let assumedSpeed = 1.4
}

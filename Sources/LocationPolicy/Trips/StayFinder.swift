package import Geodesy

/// A stay that separates two trips.
package struct TripStop: Hashable, Sendable {
  package var coordinate: Coordinate
  package var arrival: GNSSTime
  package var departure: GNSSTime

  package init(coordinate: Coordinate, arrival: GNSSTime, departure: GNSSTime) {
    (self.coordinate, self.arrival, self.departure) = (coordinate, arrival, departure)
  }

  /// The stop of a visit. If the visit is over and only one of its times is known, the stop has no duration: it separates the trips
  /// at that time. If the visit is not over, the stop ends at the greatest representable time. `nil`: neither time is known.
  package init?(_ visit: Visit) {
    let end = GNSSTime(nanosecondsSince1970: .max)
    guard let arrival = visit.arrival ?? visit.departure,
      let departure = visit.departure ?? (visit.hasEnded ? visit.arrival : .some(end))
    else { return nil }
    self.init(coordinate: visit.coordinate, arrival: arrival, departure: departure)
  }
}

/// Finds the stays in a track, with the rules by which visits are detected (`VisitDetector`), on the times of the fixes.
package struct StayFinder: Sendable {
  /// A longer time without a fix ends a trip, unless the next fix is at the same place: then it is a stay.
  package static let longestGap = VisitTuning.dwell
  package static let reach = VisitTuning.reach

  private var detector = VisitDetector()
  private var last: PositionFix?
  /// The time of the first fix since the last stay.
  private var begin: GNSSTime?
  /// The time of the last fix at the current stay.
  private var lastThere: GNSSTime?
  private var arrival: GNSSTime?
  package private(set) var stops: [TripStop] = []

  package init() { _ = detector.handle(.start(resuming: nil), at: Instant(nanoseconds: 0)) }

  /// Adds the next fix of the track. A fix that is not later than the one before is ignored.
  package mutating func add(_ fix: PositionFix) {
    guard last.map({ fix.time > $0.time }) ?? true else { return }
    var timed = fix
    // The boot clock of a log starts again with each boot.
    timed.receivedAt = Instant(nanoseconds: fix.time.nanosecondsSince1970)
    begin = begin ?? fix.time
    if let deadline = detector.nextDeadline, deadline < timed.receivedAt {
      handle(detector.handle(.wake, at: deadline), last?.time ?? fix.time)
    }
    handle(detector.handle(.fix(timed), at: timed.receivedAt), fix.time)
    if let stay = detector.stay, isAt(stay.coordinate, fix) { lastThere = fix.time }
    last = fix
  }

  /// Ends the track; a stay in progress ends with it.
  package mutating func finish() {
    if let deadline = detector.nextDeadline { handle(detector.handle(.wake, at: deadline), last?.time ?? .distantPast) }
    guard let stay = detector.stay, let arrival, let last else { return }
    stops.append(TripStop(coordinate: stay.coordinate, arrival: arrival, departure: last.time))
  }

  private mutating func handle(_ actions: [VisitDetector.Action], _ time: GNSSTime) {
    for action in actions {
      switch action {
      case .arrived(let visit):
        arrival = visit.arrival ?? begin ?? time
        lastThere = last?.time ?? time
      case .departed(let visit):
        let arrival = arrival ?? visit.arrival ?? time
        let departure = visit.departure ?? lastThere ?? time
        stops.append(
          TripStop(coordinate: visit.coordinate, arrival: arrival, departure: max(arrival, departure)))
        (self.arrival, lastThere, begin) = (nil, nil, time)
      }
    }
  }

  private func isAt(_ place: Coordinate, _ fix: PositionFix) -> Bool {
    Geodesic.inverse(from: place, to: fix.coordinate).distance <= Self.reach
  }

  /// Visits, and the stays of a track from before the first of them.
  package static func merged(_ stays: [TripStop], _ visits: [Visit]) -> [TripStop] {
    let visited = visits.compactMap { TripStop($0) }.sorted { $0.arrival < $1.arrival }
    guard let first = visited.first else { return stays }
    return stays.filter { $0.departure < first.arrival } + visited
  }
}

package import Geodesy
package import LocationPolicy

/// The way from one stay to the next.
package struct Trip: Hashable, Sendable {
  /// The figures of the trip.
  package fileprivate(set) var summary = TrackSummary()
  package fileprivate(set) var begin: Coordinate
  package fileprivate(set) var end: Coordinate
  /// The stays before and after the trip, if they are known.
  package fileprivate(set) var origin: TripStop?
  package fileprivate(set) var destination: TripStop?

  /// A shorter way is not a trip: measured positions wander, and a person walks around at a place.
  package static let leastDistance = Meters(100)

  fileprivate init(at fix: PositionFix) { (begin, end) = (fix.coordinate, fix.coordinate) }

  /// The time from the first fix of the trip to its last.
  package var duration: Duration {
    guard let begin = summary.begin, let end = summary.end else { return .zero }
    return end - begin
  }
}

/// Divides a track into trips at its stays, and where nothing was recorded for long.
package struct TripBuilder: Sendable {
  private let stops: [TripStop]
  /// The index of the first stop that was not over at the time of the last fix.
  private var nextStop = 0
  private var current: Trip?
  private var last: PositionFix?
  /// The last fix during a stay, after which a trip begins.
  private var lastThere: PositionFix?
  private var isInterrupted = false

  /// What an entry of the track has changed.
  package enum Event: Hashable, Sendable {
    /// A new entry of the current trip.
    case entry(TrackEntry)
    /// The current trip is over. `nil`: its entries are not a trip, because it is too short.
    case ended(Trip?)
  }

  /// - Parameter stops: in the order of their times.
  package init(_ stops: [TripStop]) { self.stops = stops }

  /// Adds the next entry of the track.
  package mutating func add(_ entry: TrackEntry) -> [Event] {
    guard case .fix(let fix) = entry else {
      isInterrupted = true
      return []
    }
    guard last.map({ fix.time > $0.time }) ?? true else { return [] }
    defer {
      last = fix
      isInterrupted = false
    }
    var events: [Event] = []
    while nextStop < stops.count, stops[nextStop].departure < fix.time {
      events += arrive(at: stops[nextStop], nil)
      nextStop += 1
    }
    if nextStop < stops.count, stops[nextStop].arrival <= fix.time {
      events += arrive(at: stops[nextStop], fix)
      lastThere = fix
      return events
    }
    if current != nil, let last, isInterrupted, fix.time - last.time > StayFinder.longestGap { events += end(nil) }
    return events + travel(to: fix)
  }

  /// Ends the track.
  package mutating func finish() -> [Event] { end(nil) }

  private mutating func travel(to fix: PositionFix) -> [Event] {
    var events: [Event] = []
    if current == nil {
      var trip = Trip(at: fix)
      if nextStop > 0, !isGap(before: fix) { trip.origin = stops[nextStop - 1] }
      // The way begins at the place of the stay.
      if var begin = lastThere, let stop = trip.origin, !isInterrupted {
        begin.time = min(max(begin.time, stop.departure), fix.time)
        if begin.time < fix.time {
          trip = Trip(at: begin)
          trip.origin = stop
          trip.summary.add(.fix(begin))
          events.append(.entry(.fix(begin)))
        }
      }
      current = trip
    } else if isInterrupted {
      // Nobody knows the way across a gap: as in the figures of the log, it has neither length nor time.
      current?.summary.add(.interruption(.gap))
      events.append(.entry(.interruption(.gap)))
    }
    lastThere = nil
    current?.summary.add(.fix(fix))
    current?.end = fix.coordinate
    return events + [.entry(.fix(fix))]
  }

  private func isGap(before fix: PositionFix) -> Bool {
    last.map { isInterrupted && fix.time - $0.time > StayFinder.longestGap } ?? true
  }

  /// Ends the current trip at a stay. `fix`: the first fix during the stay; `nil` if there was none.
  private mutating func arrive(at stop: TripStop, _ fix: PositionFix?) -> [Event] {
    guard current != nil else { return [] }
    var events: [Event] = []
    if var fix, let last, !isInterrupted, stop.arrival > last.time {
      fix.time = min(fix.time, stop.arrival)
      current?.summary.add(.fix(fix))
      current?.end = fix.coordinate
      events.append(.entry(.fix(fix)))
    }
    return events + end(stop)
  }

  private mutating func end(_ stop: TripStop?) -> [Event] {
    guard var trip = current.take() else { return [] }
    trip.destination = stop
    return [.ended(trip.summary.distance >= Trip.leastDistance && trip.summary.fixes > 1 ? trip : nil)]
  }
}

package import Geodesy

/// The route of a simulated receiver: stretches of points, between which it moves on the shortest line at a constant speed. Between
/// two stretches its position is unknown.
package struct SimulatedRoute: Hashable, Sendable {
  /// Segments no further apart in time than this become one stretch: the logger only began a new segment.
  package static let joint = Duration.seconds(10)

  /// Between two points further apart in time than this the position is unknown: the logger was switched off.
  package static let longestGap = Duration.seconds(3600)

  /// In the order of their times, each of at least one point.
  package let stretches: [[RoutePoint]]

  /// A route of segments; a point that is not later than all before it is omitted. `nil`: no point is left.
  package init?(segments: [[RoutePoint]]) {
    var stretches: [[RoutePoint]] = []
    for segment in segments {
      var isNew = true
      for point in segment {
        guard let last = stretches.last?.last else {
          stretches.append([point])
          isNew = false
          continue
        }
        guard point.time > last.time else { continue }
        if point.time - last.time > (isNew ? Self.joint : Self.longestGap) {
          stretches.append([point])
        } else {
          stretches[stretches.count - 1].append(point)
        }
        isNew = false
      }
    }
    guard !stretches.isEmpty else { return nil }
    self.stretches = stretches
  }

  /// A route without times, traveled at one speed in meters per second, > 0, from `start` on; one minute passes between segments.
  package init?(segments: [[SimulatedPosition]], metersPerSecond: Double, from start: GNSSTime) {
    var time = start
    var stretches: [[RoutePoint]] = []
    for segment in segments where !segment.isEmpty {
      var points: [RoutePoint] = []
      for position in segment {
        if let last = points.last {
          let way = Geodesic.inverse(from: last.position.coordinate, to: position.coordinate).distance
          guard way.value > 0 else { continue }
          time = time + .seconds(way.value / metersPerSecond)
        }
        points.append(RoutePoint(time: time, position: position))
      }
      stretches.append(points)
      time = time + .seconds(60)
    }
    guard !stretches.isEmpty else { return nil }
    self.stretches = stretches
  }

  /// The times at which the route begins and ends.
  package var range: ClosedRange<GNSSTime> {
    (stretches.first?.first?.time ?? GNSSTime(nanosecondsSince1970: 0))...(stretches.last?.last?.time
      ?? GNSSTime(nanosecondsSince1970: 0))
  }

  /// The position at `time`; `nil` if unknown.
  package func position(at time: GNSSTime) -> SimulatedPosition? {
    guard let stretch = stretch(at: time) else { return nil }
    return Self.position(in: stretch, at: time)
  }

  /// The position at `time` and the mean velocity over a second around it, because a car turns gradually where the
  /// route has a bend in a single point. `nil` if unknown.
  func truth(at time: GNSSTime) -> SimulatedTruth? {
    guard let stretch = stretch(at: time), let first = stretch.first, let last = stretch.last,
      let position = Self.position(in: stretch, at: time)
    else { return nil }
    let (before, after) = (max(first.time, time + .milliseconds(-500)), min(last.time, time + .milliseconds(500)))
    var (north, east) = (0.0, 0.0)
    if before < after, let from = Self.position(in: stretch, at: before), let to = Self.position(in: stretch, at: after)
    {
      let frame = LocalFrame(origin: position.coordinate)
      let (start, end) = (frame.offset(of: from.coordinate), frame.offset(of: to.coordinate))
      let seconds = (after - before).inSeconds
      north = (end.northMeters - start.northMeters) / seconds
      east = (end.eastMeters - start.eastMeters) / seconds
    }
    return SimulatedTruth(
      position: position, geoidSeparation: Geoid.undulation(at: position.coordinate) ?? Meters(0),
      velocityNorth: north, velocityEast: east, speedMetersPerSecond: Math.hypot(north, east), course: nil)
  }

  /// The start of the next stretch after `time`; `nil`: there is none.
  func nextStart(after time: GNSSTime) -> GNSSTime? {
    stretches[stretches.partitioningIndex { ($0.first?.time ?? time) > time }...].first?.first?.time
  }

  private func stretch(at time: GNSSTime) -> [RoutePoint]? {
    guard let stretch = stretches[stretches.partitioningIndex { ($0.last?.time ?? time) >= time }...].first,
      let first = stretch.first,
      first.time <= time
    else { return nil }
    return stretch
  }

  private static func position(in stretch: [RoutePoint], at time: GNSSTime) -> SimulatedPosition? {
    let next = stretch.partitioningIndex { $0.time >= time }
    guard next < stretch.count else { return nil }
    let later = stretch[next]
    guard next > 0, later.time != time else { return later.position }
    let earlier = stretch[next - 1]
    let share = (time - earlier.time).inSeconds / (later.time - earlier.time).inSeconds
    let line = Geodesic.inverse(from: earlier.position.coordinate, to: later.position.coordinate)
    let place = Geodesic.direct(
      from: earlier.position.coordinate, course: line.initialCourse, distance: line.distance * share)
    let (bottom, top) = (earlier.position.heightAboveEllipsoid, later.position.heightAboveEllipsoid)
    return SimulatedPosition(coordinate: place.coordinate, heightAboveEllipsoid: bottom + (top - bottom) * share)
  }
}

/// A point of a route, and the time at which it is passed.
package struct RoutePoint: Hashable, Sendable {
  package var time: GNSSTime
  package var position: SimulatedPosition

  package init(time: GNSSTime, position: SimulatedPosition) {
    self.time = time
    self.position = position
  }
}

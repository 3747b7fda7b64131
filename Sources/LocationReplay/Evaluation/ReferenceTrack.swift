package import Geodesy

/// The true position at any time of a track, as far as it is known without guessing.
///
/// Between two points, the position moves along the shortest line at constant speed: on a road recorded with one point per
/// second this is wrong by up to a·t²/8, four decimeters in a turn of 3 m/s². Before the first point, after the last, and
/// in a gap the position is unknown.
package struct ReferenceTrack: Sendable {
  /// The default for `largestGap`: one second plus a tolerance for clock errors.
  package static let usualGap = Duration.milliseconds(1500)

  /// The points in order of time, without duplicate times.
  package let points: [ReferencePoint]
  /// The longest time between two points that is interpolated.
  package let largestGap: Duration

  /// A track of points in any order; of several points with the same time, the first counts.
  package init(_ points: [ReferencePoint], largestGap: Duration = usualGap) {
    var kept: [ReferencePoint] = []
    kept.reserveCapacity(points.count)
    // Swift's sort is stable.
    for point in points.sorted(by: { $0.time < $1.time }) where kept.last?.time != point.time { kept.append(point) }
    self.points = kept
    self.largestGap = largestGap
  }

  /// The true position at `time`; `nil` if it is unknown.
  package func coordinate(at time: GNSSTime) -> Coordinate? {
    let next = points.partitioningIndex { $0.time >= time }
    guard next < points.count else { return nil }
    let later = points[next]
    if later.time == time { return later.coordinate }
    guard next > 0 else { return nil }
    let earlier = points[next - 1]
    let gap = later.time - earlier.time
    guard gap <= largestGap else { return nil }
    let line = Geodesic.inverse(from: earlier.coordinate, to: later.coordinate)
    let part = (time - earlier.time).inSeconds / gap.inSeconds
    return Geodesic.direct(from: earlier.coordinate, course: line.initialCourse, distance: line.distance * part)
      .coordinate
  }

  /// The error of an answer, on the ellipsoid; `nil` if the true position at its time is unknown.
  package func judge(_ answer: CandidatePosition) -> EvaluatedPosition? {
    guard let truth = coordinate(at: answer.time) else { return nil }
    return EvaluatedPosition(
      time: answer.time, errorMeters: Geodesic.inverse(from: answer.coordinate, to: truth).distance.value,
      radius68Meters: answer.radius68?.value, latency: answer.answeredAt - answer.time)
  }
}

/// A true position, from a more accurate instrument.
package struct ReferencePoint: Hashable, Sendable {
  /// The time of the position.
  package let time: GNSSTime
  /// The position.
  package let coordinate: Coordinate

  package init(time: GNSSTime, coordinate: Coordinate) {
    self.time = time
    self.coordinate = coordinate
  }
}

/// A position to be judged.
package struct CandidatePosition: Hashable, Sendable {
  /// The time that the position is valid for.
  package let time: GNSSTime
  /// When the answer was given, by the same clock; later than `time` if the answer used later input.
  package let answeredAt: GNSSTime
  /// The position.
  package let coordinate: Coordinate
  /// The reported 68 % radius, > 0; `nil` if none was reported.
  package let radius68: Meters?

  package init(time: GNSSTime, answeredAt: GNSSTime, coordinate: Coordinate, radius68: Meters?) {
    self.time = time
    self.answeredAt = answeredAt
    self.coordinate = coordinate
    self.radius68 = radius68
  }

  /// The answer from a fix; `answeredAt` is the time of the fix that triggered it, by default its own.
  package init(_ fix: PositionFix, answeredAt: GNSSTime? = nil) {
    self.init(
      time: fix.time, answeredAt: answeredAt ?? fix.time, coordinate: fix.coordinate, radius68: fix.horizontalRadius68)
  }
}

/// An answer compared with the true position.
package struct EvaluatedPosition: Hashable, Sendable {
  /// The time that the position is valid for.
  package let time: GNSSTime
  /// Distance from the true position, meters, ≥ 0.
  package let errorMeters: Double
  /// The reported 68 % radius, meters, > 0; `nil` if none was reported.
  package let radius68Meters: Double?
  /// The delay from `time` to the answer, ≥ 0.
  package let latency: Duration

  package init(time: GNSSTime, errorMeters: Double, radius68Meters: Double?, latency: Duration = .zero) {
    self.time = time
    self.errorMeters = errorMeters
    self.radius68Meters = radius68Meters
    self.latency = latency
  }
}

package import Geodesy

/// Where something truly was at any time of a track, so far as that can be told without guessing.
///
/// Between two points it is on the shortest line between them, at an even pace: on a road taken at one point a second that
/// is wrong by up to a·t²/8, four decimetres in a turn of 3 m/s². Before the first point, after the last, and in a gap it
/// is unknown.
package struct ReferenceTrack: Sendable {
  /// The time between two points that is still bridged: a second, and what a clock may be off.
  package static let usualGap = Duration.milliseconds(1500)

  /// In the order of their times, none twice.
  package let points: [ReferencePoint]
  /// The longest time between two points that is bridged.
  package let largestGap: Duration

  /// A track of points in any order; of several of one time the first holds.
  package init(_ points: [ReferencePoint], largestGap: Duration = usualGap) {
    var kept: [ReferencePoint] = []
    kept.reserveCapacity(points.count)
    // Swift's sort is stable.
    for point in points.sorted(by: { $0.time < $1.time }) where kept.last?.time != point.time { kept.append(point) }
    self.points = kept
    self.largestGap = largestGap
  }

  /// Where it was at `time`; `nil`: the track does not say.
  package func coordinate(at time: GNSSTime) -> Coordinate? {
    let next = firstIndex(notBefore: time)
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

  /// How far an answer was off, on the ellipsoid; `nil` where the truth of its time is unknown.
  package func judge(_ answer: AnsweredPosition) -> JudgedPosition? {
    guard let truth = coordinate(at: answer.time) else { return nil }
    return JudgedPosition(
      time: answer.time, errorMeters: Geodesic.inverse(from: answer.coordinate, to: truth).distance.value,
      radius68Meters: answer.radius68?.value, latency: answer.answeredAt - answer.time)
  }

  /// The first point at or after `time`, by halving.
  private func firstIndex(notBefore time: GNSSTime) -> Int {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Where something truly was, by the word of a better instrument.
package struct ReferencePoint: Hashable, Sendable {
  /// When it was there.
  package let time: GNSSTime
  /// Where.
  package let coordinate: Coordinate

  package init(time: GNSSTime, coordinate: Coordinate) {
    self.time = time
    self.coordinate = coordinate
  }
}

/// One answer to the question where something is, or was.
package struct AnsweredPosition: Hashable, Sendable {
  /// The time that the answer is about.
  package let time: GNSSTime
  /// When it was given, by the same clock: later than `time` where it had to wait for what came after.
  package let answeredAt: GNSSTime
  /// What was answered.
  package let coordinate: Coordinate
  /// The radius that was claimed to hold 68 % of the errors, > 0; `nil`: none.
  package let radius68: Meters?

  package init(time: GNSSTime, answeredAt: GNSSTime, coordinate: Coordinate, radius68: Meters?) {
    self.time = time
    self.answeredAt = answeredAt
    self.coordinate = coordinate
    self.radius68 = radius68
  }

  /// The answer that a fix is: for `answeredAt` nothing, or the time of the fix that brought it.
  package init(_ fix: PositionFix, answeredAt: GNSSTime? = nil) {
    self.init(
      time: fix.time, answeredAt: answeredAt ?? fix.time, coordinate: fix.coordinate, radius68: fix.horizontalRadius68)
  }
}

/// An answer beside the truth.
package struct JudgedPosition: Hashable, Sendable {
  /// The time that the answer was about.
  package let time: GNSSTime
  /// How far off it was, metres, ≥ 0.
  package let errorMeters: Double
  /// The 68 % radius that it claimed, metres, > 0; `nil`: none.
  package let radius68Meters: Double?
  /// From that time to the answer, ≥ 0.
  package let latency: Duration

  package init(time: GNSSTime, errorMeters: Double, radius68Meters: Double?, latency: Duration = .zero) {
    self.time = time
    self.errorMeters = errorMeters
    self.radius68Meters = radius68Meters
    self.latency = latency
  }
}

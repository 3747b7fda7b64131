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

package import Geodesy

/// A reference as its file tells it, before it is put beside a log.
package struct Reference: Sendable {
  /// In any order.
  package var points: [ReferencePoint]
  /// What their times count from.
  package var clock: ReferenceClock

  package init(points: [ReferencePoint], clock: ReferenceClock) {
    self.points = points
    self.clock = clock
  }

  /// The track beside a log of `clock` that begins at `start`; see `ReferenceClock.days`.
  package func track(beside clock: ReferenceClock, from start: GNSSTime) -> ReferenceTrack {
    guard let first = points.map(\.time).min(), let last = points.map(\.time).max() else { return ReferenceTrack([]) }
    let days = self.clock.days(of: first...last, beside: clock, from: start)
    guard days != 0 else { return ReferenceTrack(points) }
    let shift = Duration.seconds(days * 86_400)
    return ReferenceTrack(points.map { ReferencePoint(time: $0.time + shift, coordinate: $0.coordinate) })
  }
}

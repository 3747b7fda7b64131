/// What a receiver on a route has to cope with. Times count from the route's beginning.
package struct RouteConditions: Hashable, Sendable {
  /// Which of all the possible errors.
  package var seed: UInt64 = 1
  /// Standard deviation of north and of east under an open sky, metres.
  package var noiseMeters = 1.2
  /// Standard deviation that reflections add to each of them everywhere, metres.
  package var multipathMeters = 0.0
  /// Streets between high houses: reflections of at least `canyonMultipathMeters`, and only the high satellites.
  package var canyons: [Range<Duration>] = []
  /// No satellites at all, and for `reacquisition` after it no position.
  package var tunnels: [Range<Duration>] = []

  /// Standard deviation of reflections between high houses, metres: single-point fixes of Nagoya had 4 m and 6 m of north
  /// and east over a drive of which half was such streets.
  package static let canyonMultipathMeters = 6.0
  /// From the first satellite to the first position: a hot start (u-blox M10 data sheet: 1 s, and an epoch).
  package static let reacquisition = Duration.seconds(2)

  package init() {}

  /// The sky at one time.
  enum Sky: Hashable, Sendable {
    case open
    case canyon
    /// Satellites are heard again, and there is no position yet.
    case returning
    case none
  }

  func sky(after elapsed: Duration) -> Sky {
    if tunnels.contains(where: { $0.contains(elapsed) }) { return .none }
    if tunnels.contains(where: { ($0.upperBound..<$0.upperBound + Self.reacquisition).contains(elapsed) }) {
      return .returning
    }
    return canyons.contains { $0.contains(elapsed) } ? .canyon : .open
  }
}

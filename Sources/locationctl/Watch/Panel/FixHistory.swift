package import Geodesy
package import TrackFormats

/// The latest fix of a stream, and the recent changes of speed and height.
package struct FixHistory: Sendable {
  /// Maximum number of speeds that are kept: more than the widest line shows.
  private static let maximumSpeeds = 120
  private static let maximumHeights = 16
  /// The time, seconds, over which the climb is computed: a shorter one would show the noise of the heights, a longer
  /// one would average over hills.
  private static let timeToClimb = 5.0...20.0

  package private(set) var latest: LocatedFix?
  private var receivedAt = Instant(nanoseconds: 0)
  /// Speeds, m/s, the newest last; `nil`: the fix has none.
  package private(set) var speeds: [Double?] = []
  private var heights: [(time: GNSSTime, meters: Double)] = []

  package init() {}

  package mutating func add(_ located: LocatedFix, at now: Instant) {
    (latest, receivedAt) = (located, now)
    if speeds.count == Self.maximumSpeeds { speeds.removeFirst() }
    speeds.append(located.fix.speedMetersPerSecond)
    guard let height = located.ellipsoidalAltitude ?? located.altitude else {
      heights.removeAll()
      return
    }
    if heights.count == Self.maximumHeights { heights.removeFirst() }
    heights.append((located.fix.time, height))
  }

  /// The current age of the latest fix; `nil` if there is no fix.
  package func age(at now: Instant) -> Duration? { latest.map { ($0.age ?? .zero) + (now - receivedAt) } }

  /// The vertical speed, m/s upward, from the heights of the last seconds; `nil`: there are too few.
  package var climb: Double? {
    guard let last = heights.last else { return nil }
    let first = heights.first { Self.timeToClimb.contains((last.time - $0.time).inSeconds) }
    return first.map { (last.meters - $0.meters) / (last.time - $0.time).inSeconds }
  }
}

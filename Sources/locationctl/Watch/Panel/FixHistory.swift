package import Geodesy
package import TrackFormats

/// The latest fix of a stream, and how speed and height have changed before it.
package struct FixHistory: Sendable {
  /// The speeds that are remembered: more than the widest line shows.
  private static let maximumSpeeds = 120
  private static let maximumHeights = 16
  /// A shorter time gives the noise of the heights, a longer one an average of hills.
  private static let timeToClimb = 5.0...20.0

  package private(set) var latest: LocatedFix?
  private var receivedAt = Instant(nanoseconds: 0)
  /// Meters per second, the newest last; `nil`: the fix has none.
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

  /// How old the latest fix is now.
  package func age(at now: Instant) -> Duration? { latest.map { ($0.age ?? .zero) + (now - receivedAt) } }

  /// Meters per second upward, from the heights of the last seconds; `nil`: there are too few.
  package var climb: Double? {
    guard let last = heights.last else { return nil }
    let first = heights.first { Self.timeToClimb.contains((last.time - $0.time).inSeconds) }
    return first.map { (last.meters - $0.meters) / (last.time - $0.time).inSeconds }
  }
}

import Fusion
import Geodesy

/// What a fix says of a stay.
struct StayPoint: Hashable, Sendable {
  let instant: Instant
  let time: GNSSTime
  let coordinate: Coordinate
  /// Metres.
  let radius68: Double
  /// Metres per second; `nil`: the fix tells none.
  let speed: Double?
  let isSlow: Bool

  init(_ fix: PositionFix) {
    instant = fix.receivedAt
    time = fix.time
    coordinate = fix.coordinate
    radius68 = fix.horizontalRadius68.value
    speed = fix.speedMetersPerSecond
    isSlow = fix.isSlow ?? true
  }

  /// Metres to a place.
  func distance(to centre: Coordinate) -> Double { LocalFrame(origin: centre).offset(of: coordinate).length.value }

  /// Whether it can be of the place around there.
  func isWithinReach(of centre: Coordinate) -> Bool {
    distance(to: centre) <= max(VisitTuning.reach.value, 2 * radius68)
  }

  /// Whether it is as near as it can tell.
  func isAtTheDoor(of centre: Coordinate) -> Bool {
    distance(to: centre) <= max(VisitTuning.doorstep.value, radius68)
  }
}

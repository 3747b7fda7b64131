import Fusion
package import Geodesy

/// A stay at a place that nobody has named (Documentation/Behavior.md, "Visits").
package struct Visit: Hashable, Sendable {
  /// Where, WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around it, > 0.
  package var horizontalRadius68: Meters
  /// When it began; `nil`: nobody was looking, or allowed to, when it did.
  package var arrival: GNSSTime?
  /// When it ended; `nil`: it has not, or nobody was looking, or allowed to, when it did.
  package var departure: GNSSTime?
  /// Whether it is over; always true with a known departure.
  package var hasEnded: Bool

  package init(
    coordinate: Coordinate, horizontalRadius68: Meters, arrival: GNSSTime?, departure: GNSSTime? = nil,
    hasEnded: Bool = false
  ) {
    self.coordinate = coordinate
    self.horizontalRadius68 = horizontalRadius68
    self.arrival = arrival
    self.departure = departure
    self.hasEnded = hasEnded || departure != nil
  }
}

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

/// Where a stay is: the mean of its fixes, each by what it is worth, those that lie elsewhere left out.
struct StayCentre: Hashable, Sendable {
  /// A receiver's errors at one place go on for minutes, so that more fixes say little more: weights are of so many at most.
  private static let mostFixes = 30.0
  /// What no fix is better than here: whoever stays walks about, metres.
  private static let wandering = 8.0

  private(set) var coordinate: Coordinate
  /// Metres.
  private(set) var radius68: Double
  private var weight: Double

  init(_ coordinate: Coordinate, radius68: Double) {
    self.coordinate = coordinate
    self.radius68 = radius68
    weight = Self.weight(radius68) * Self.mostFixes
  }

  /// `nil` where too many of the points lie elsewhere.
  init?(of points: ArraySlice<StayPoint>) {
    guard let first = points.first else { return nil }
    let frame = LocalFrame(origin: first.coordinate)
    let offsets = points.map { frame.offset(of: $0.coordinate) }
    // The middle one of each axis is where most are, whatever the others say.
    let east = offsets.map(\.eastMeters).sorted()[offsets.count / 2]
    let north = offsets.map(\.northMeters).sorted()[offsets.count / 2]
    let middle = frame.coordinate(at: LocalFrame.Offset(eastMeters: east, northMeters: north))
    let near = points.filter { $0.isWithinReach(of: middle) }
    guard Double(points.count - near.count) <= VisitTuning.outliers * Double(points.count), let one = near.first else {
      return nil
    }
    (coordinate, radius68, weight) = (one.coordinate, one.radius68, Self.weight(one.radius68))
    for point in near.dropFirst() { add(point) }
    guard points.count(where: { !$0.isWithinReach(of: coordinate) }) <= points.count - near.count else { return nil }
  }

  mutating func add(_ point: StayPoint) {
    let frame = LocalFrame(origin: coordinate)
    let offset = frame.offset(of: point.coordinate)
    let new = Self.weight(point.radius68)
    let share = new / (weight + new)
    coordinate = frame.coordinate(
      at: LocalFrame.Offset(eastMeters: share * offset.eastMeters, northMeters: share * offset.northMeters))
    radius68 = max(Self.wandering, radius68 + share * (point.radius68 - radius68))
    weight = min(weight + new, Self.weight(radius68) * Self.mostFixes)
  }

  private static func weight(_ radius: Double) -> Double { 1 / (radius * radius + wandering * wandering) }
}

import Fusion
package import Geodesy

/// A stay at a place, which has no name (Documentation/Behavior.md, "Visits").
package struct Visit: Hashable, Sendable {
  /// Center of the place, WGS 84.
  package var coordinate: Coordinate
  /// 68 % radius around it, > 0.
  package var horizontalRadius68: Meters
  /// When it began; `nil`: there was no observation, or no authorization, at that time.
  package var arrival: GNSSTime?
  /// When it ended; `nil`: it has not, or there was no observation, or no authorization, at that time.
  package var departure: GNSSTime?
  /// Whether it is over; always true with a known departure.
  package var hasEnded: Bool
  /// Whether it comes from another program's file, and was not detected by this machine.
  package var isImported = false

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

  /// The radius, or `nil` if the file of an imported visit does not contain one: such a visit has `PositionFix.greatestRadius68`.
  package var knownHorizontalRadius68: Meters? {
    isImported && horizontalRadius68 >= PositionFix.greatestRadius68 ? nil : horizontalRadius68
  }
}

/// The properties of a fix that matter for a stay.
struct StayPoint: Hashable, Sendable {
  let instant: Instant
  let time: GNSSTime
  let coordinate: Coordinate
  /// Meters.
  let radius68: Double
  /// Meters per second; `nil`: the fix has no speed.
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

  /// Distance to a place, meters.
  func distance(to centre: Coordinate) -> Double { LocalFrame(origin: centre).offset(of: coordinate).length.value }

  /// Whether the fix can belong to the place with this center.
  func isWithinReach(of centre: Coordinate) -> Bool {
    distance(to: centre) <= max(VisitTuning.reach.value, 2 * radius68)
  }

  /// Whether the fix lies at the doorstep, within its own accuracy.
  func isAtTheDoor(of centre: Coordinate) -> Bool {
    distance(to: centre) <= max(VisitTuning.doorstep.value, radius68)
  }
}

/// The center of a stay: the mean of its fixes, weighted by accuracy, without outliers.
struct StayCenter: Hashable, Sendable {
  /// A receiver's errors at one place are correlated for minutes, so more fixes add little: the weight is that of this many fixes
  /// at most.
  private static let mostFixes = 30.0
  /// Minimum error of a fix here, because a person who stays walks about, meters.
  private static let wandering = 8.0

  private(set) var coordinate: Coordinate
  /// Meters.
  private(set) var radius68: Double
  private var weight: Double

  init(_ coordinate: Coordinate, radius68: Double) {
    self.coordinate = coordinate
    self.radius68 = radius68
    weight = Self.weight(radius68) * Self.mostFixes
  }

  /// `nil` if too many of the points lie elsewhere.
  init?(of points: ArraySlice<StayPoint>) {
    guard let first = points.first else { return nil }
    let frame = LocalFrame(origin: first.coordinate)
    let offsets = points.map { frame.offset(of: $0.coordinate) }
    // The median of each axis lies where most fixes are, whatever the outliers are.
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

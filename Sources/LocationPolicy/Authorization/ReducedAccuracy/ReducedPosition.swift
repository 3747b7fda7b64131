package import Geodesy

/// Where the machine is to within a town, for clients with reduced accuracy (Documentation/Behavior.md, "Authorization"): the point
/// of the cell of a keyed grid, a few times an hour.
///
/// One machine, one of these: all its clients hear the same. Averaging reveals nothing, as the same point comes each time; on the
/// border of two cells noise makes no difference either, as a cell is left only well beyond its border.
package struct ReducedPosition: Sendable {
  /// An answer holds as long, and with `rounding` is up to 20 minutes old (Documentation/Behavior.md, "Authorization": a few an
  /// hour, up to about 20 minutes old).
  package static let interval = Duration.seconds(15 * 60)
  /// Times are whole multiples of it.
  package static let rounding = Duration.seconds(5 * 60)
  /// How far outside its cell a good fix has to be before the cell is left. It is doubled for poorer ones until it is four
  /// times their radius, which is six standard deviations.
  package static let margin = Meters(500)

  /// A cell and what is told of it.
  private struct Place {
    let cell: CoarseGrid.Cell
    let point: Coordinate
    /// From the point to the farthest corner.
    let reach: Meters
  }

  private let grid: CoarseGrid
  private var place: Place?
  private var told: PositionFix?
  private var toldAt: Instant?
  /// What was told before a restart, until the first fix after it.
  private var kept: ReducedPlace?
  /// What was told last, to be kept for the time after a restart; `nil`: nothing, or nothing real.
  package private(set) var last: ReducedPlace?

  /// Of the machine's secret key of 16 random bytes.
  package init(key: (low: UInt64, high: UInt64)) { grid = CoarseGrid(key: key) }

  /// Goes on with what was told last before a restart, unless that was by another key.
  package mutating func resume(_ kept: ReducedPlace) {
    let place = Self.place(of: kept.point, in: grid)
    guard place.point == kept.point else { return }
    (self.place, self.kept, last) = (place, kept, kept)
  }

  /// What is told in the place of a fix.
  package mutating func reduce(_ fix: PositionFix) -> PositionFix {
    // A fix that should not be believed moves nothing.
    if let told, let toldAt, fix.receivedAt < toldAt + Self.interval || fix.suspicion != nil { return told }
    if let again = again(fix) { return again }
    let margin = Self.margin(of: fix)
    let here = stays(at: fix.coordinate, within: margin) ?? Self.place(of: fix.coordinate, in: grid)
    // The truth is as far beyond the margin as the fix may be wrong, a quarter of it.
    let reach = here.reach + margin * 1.25
    let reduced = reduced(fix, at: here.point, Meters((reach.value / 100).rounded(.up) * 100))
    (place, told, toldAt) = (here, reduced, fix.receivedAt)
    if !fix.isSimulated {
      last = ReducedPlace(point: here.point, radius68: reduced.horizontalRadius68, time: fix.time)
    }
    return reduced
  }

  /// What was told before a restart, as long as it would have held without that.
  private mutating func again(_ fix: PositionFix) -> PositionFix? {
    guard let kept = kept.take() else { return nil }
    // What is played is somewhere else.
    guard !fix.isSimulated else {
      place = nil
      return nil
    }
    let age = fix.time - kept.time
    guard age >= .zero, age < Self.interval else { return nil }
    var before = fix
    (before.time, before.receivedAt) = (kept.time, fix.receivedAt - age)
    let reduced = reduced(before, at: kept.point, kept.radius68)
    (told, toldAt) = (reduced, before.receivedAt)
    return reduced
  }

  /// The cell of before, where that has not been left.
  private func stays(at coordinate: Coordinate, within margin: Meters) -> Place? {
    guard let place else { return nil }
    if grid.cell(at: coordinate) == place.cell { return place }
    return grid.distance(from: coordinate, to: place.cell) > margin ? nil : place
  }

  private static func place(of coordinate: Coordinate, in grid: CoarseGrid) -> Place {
    let cell = grid.cell(at: coordinate)
    return Place(cell: cell, point: grid.point(of: cell), reach: grid.reach(of: cell))
  }

  private func reduced(_ fix: PositionFix, at point: Coordinate, _ radius68: Meters) -> PositionFix {
    let step = Self.rounding.wholeNanoseconds
    let past = fix.time.nanosecondsSince1970 % step
    let age = Duration.nanoseconds(past < 0 ? past + step : past)
    var reduced = PositionFix(
      time: fix.time + (.zero - age), timeValidity: fix.timeValidity, receivedAt: fix.receivedAt - age,
      coordinate: point, horizontalRadius68: radius68, kind: .estimated, technologies: [])
    reduced.suspicion = fix.suspicion
    reduced.isSimulated = fix.isSimulated
    return reduced
  }

  private static func margin(of fix: PositionFix) -> Meters {
    var margin = margin
    while margin < fix.horizontalRadius68 * 4, margin < PositionFix.greatestRadius68 { margin = margin * 2 }
    return margin
  }
}

/// What was told last in the place of a fix, so that a restart tells no more than a fix does.
package struct ReducedPlace: Hashable, Sendable {
  /// The point of a cell.
  package var point: Coordinate
  /// The radius that was told with it.
  package var radius68: Meters
  /// When the fix was true that it was made of.
  package var time: GNSSTime

  package init(point: Coordinate, radius68: Meters, time: GNSSTime) {
    self.point = point
    self.radius68 = radius68
    self.time = time
  }
}

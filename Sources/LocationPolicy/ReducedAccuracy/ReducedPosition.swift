package import Geodesy

/// The position at the resolution of a town, for clients with reduced accuracy (Documentation/Behavior.md, "Authorization"): the
/// point of a cell of a keyed grid, a few times an hour.
///
/// One instance per machine: all clients receive the same positions. Averaging reveals nothing, because the point of a cell is
/// always the same; noise at the border of two cells reveals nothing either, because a cell is left only well beyond its border.
package struct ReducedPosition: Sendable {
  /// An output is kept for this long and, with `rounding`, is up to 20 minutes old (Documentation/Behavior.md, "Authorization": a
  /// few an hour, up to about 20 minutes old).
  package static let interval = Duration.seconds(15 * 60)
  /// Reported times are whole multiples of this.
  package static let rounding = Duration.seconds(5 * 60)
  /// How far outside its cell an accurate fix has to be before the cell is left. For less accurate fixes it is doubled until it is
  /// at least four times their radius, which is six standard deviations.
  package static let margin = Meters(500)

  /// A cell and its reported point.
  private struct Place {
    let cell: CoarseGrid.Cell
    let point: Coordinate
    /// Distance from the point to the farthest corner.
    let reach: Meters
  }

  private let grid: CoarseGrid
  private var place: Place?
  private var reported: PositionFix?
  private var reportedAt: Instant?
  /// The last output before a restart, until the first fix after it.
  private var kept: ReducedPositionState?
  /// The last output, to be saved for a restart; `nil`: none, or only simulated.
  package private(set) var last: ReducedPositionState?

  /// Creates the grid of the machine's secret key of 16 random bytes.
  package init(key: (low: UInt64, high: UInt64)) { grid = CoarseGrid(key: key) }

  /// Continues with the last output before a restart, unless it was made with another key.
  package mutating func resume(_ kept: ReducedPositionState) {
    let place = Self.place(of: kept.point, in: grid)
    guard place.point == kept.point else { return }
    (self.place, self.kept, last) = (place, kept, kept)
  }

  /// The output in place of a fix.
  package mutating func reduce(_ fix: PositionFix) -> PositionFix {
    // A suspect fix changes nothing.
    if let reported, let reportedAt, fix.receivedAt < reportedAt + Self.interval || fix.qualityFlag != nil {
      return reported
    }
    if let again = again(fix) { return again }
    let margin = Self.margin(of: fix)
    let here = stays(at: fix.coordinate, within: margin) ?? Self.place(of: fix.coordinate, in: grid)
    // The true position lies beyond the margin by at most the error of the fix, a quarter of the margin.
    let reach = here.reach + margin * 1.25
    let reduced = reduced(fix, at: here.point, Meters((reach.value / 100).rounded(.up) * 100))
    (place, reported, reportedAt) = (here, reduced, fix.receivedAt)
    if !fix.isSimulated {
      last = ReducedPositionState(point: here.point, radius68: reduced.horizontalRadius68, time: fix.time)
    }
    return reduced
  }

  /// The last output before a restart, for as long as it would have been kept without the restart.
  private mutating func again(_ fix: PositionFix) -> PositionFix? {
    guard let kept = kept.take() else { return nil }
    // A simulated position is somewhere else.
    guard !fix.isSimulated else {
      place = nil
      return nil
    }
    let age = fix.time - kept.time
    guard age >= .zero, age < Self.interval else { return nil }
    var before = fix
    (before.time, before.receivedAt) = (kept.time, fix.receivedAt - age)
    let reduced = reduced(before, at: kept.point, kept.radius68)
    (reported, reportedAt) = (reduced, before.receivedAt)
    return reduced
  }

  /// The previous cell, unless it has been left.
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
    reduced.qualityFlag = fix.qualityFlag
    reduced.isSimulated = fix.isSimulated
    return reduced
  }

  private static func margin(of fix: PositionFix) -> Meters {
    var margin = margin
    while margin < fix.horizontalRadius68 * 4, margin < PositionFix.greatestRadius68 { margin = margin * 2 }
    return margin
  }
}

/// The last output in place of a fix, saved so that a restart reveals no more than a fix does.
package struct ReducedPositionState: Hashable, Sendable {
  /// The point of a cell.
  package var point: Coordinate
  /// The radius reported with it.
  package var radius68: Meters
  /// The time of the fix that it was made from.
  package var time: GNSSTime

  package init(point: Coordinate, radius68: Meters, time: GNSSTime) {
    self.point = point
    self.radius68 = radius68
    self.time = time
  }
}

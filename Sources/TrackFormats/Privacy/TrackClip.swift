package import Geodesy
package import Regions

/// Cuts everything inside of privacy zones out of a track, entry by entry. Where the line between two fixes crosses a border, the track
/// ends or begins with a position on the border, at the interpolated time.
package struct TrackClip: Sendable {
  private let zones: PrivacyZones
  /// The previous fix; `nil` before the first fix, and after an interruption.
  private var last: (fix: PositionFix, isVisible: Bool)?
  /// The interruption before the next visible fix.
  private var interruption: TrackInterruption?
  /// The number of fixes that were left out.
  package private(set) var hidden = 0

  package init(_ zones: PrivacyZones) { self.zones = zones }

  /// Whether a note may be shown.
  package func shows(_ note: TrackNote) -> Bool { !zones.contains(note.coordinate) }

  /// Handles the next entry of the track; returns the visible entries that result.
  package mutating func add(_ entry: TrackEntry) -> [TrackEntry] {
    guard !zones.isEmpty else { return [entry] }
    switch entry {
    case .interruption(let reason):
      last = nil
      // The interruption where a part was cut out remains a gap.
      if interruption != .gap { interruption = reason }
      return []
    case .fix(let fix):
      guard let (before, wasVisible) = last else {
        let isVisible = !zones.contains(fix.coordinate)
        last = (fix, isVisible)
        if isVisible { return begin() + [.fix(fix)] }
        hidden += 1
        interruption = .gap
        return []
      }
      return connect(before, wasVisible, to: fix)
    }
  }

  private mutating func connect(_ before: PositionFix, _ wasVisible: Bool, to fix: PositionFix) -> [TrackEntry] {
    let parts = zones.visibleParts(from: before.coordinate, to: fix.coordinate)
    let isVisible = !zones.contains(fix.coordinate)
    var entries: [TrackEntry] = []
    if parts.first?.lowerBound != 0 || !wasVisible { interruption = .gap }
    for part in parts {
      if part.lowerBound > 0 {
        entries += begin() + [.fix(Self.border(before, fix, at: part.lowerBound, like: isVisible ? fix : before))]
      }
      if part.upperBound < 1 {
        entries.append(.fix(Self.border(before, fix, at: part.upperBound, like: wasVisible ? before : fix)))
        interruption = .gap
      }
    }
    if isVisible { entries += begin() + [.fix(fix)] } else { hidden += 1 }
    if !isVisible { interruption = .gap }
    last = (fix, isVisible)
    return entries
  }

  private mutating func begin() -> [TrackEntry] {
    defer { interruption = nil }
    return interruption.map { [.interruption($0)] } ?? []
  }

  /// A position on the line from one fix to another. It reveals nothing else of the hidden fix: only times and heights
  /// are interpolated.
  private static func border(
    _ first: PositionFix, _ second: PositionFix, at share: Double, like shown: PositionFix
  ) -> PositionFix {
    var fix = shown
    let line = Geodesic.inverse(from: first.coordinate, to: second.coordinate)
    fix.coordinate =
      Geodesic.direct(
        from: first.coordinate, course: line.initialCourse, distance: Meters(line.distance.value * share)
      ).coordinate
    fix.time = first.time + (second.time - first.time) * share
    fix.receivedAt = first.receivedAt + (second.receivedAt - first.receivedAt) * share
    func between(_ a: Meters?, _ b: Meters?) -> Meters? {
      guard let a, let b else { return nil }
      return Meters(a.value + share * (b.value - a.value))
    }
    fix.heightAboveEllipsoid = between(first.heightAboveEllipsoid, second.heightAboveEllipsoid)
    fix.heightAboveMeanSeaLevel = between(first.heightAboveMeanSeaLevel, second.heightAboveMeanSeaLevel)
    (fix.speedMetersPerSecond, fix.speedRadius68MetersPerSecond, fix.course, fix.courseRadius68) = (nil, nil, nil, nil)
    (fix.satellitesUsed, fix.hdop) = (nil, nil)
    return fix
  }
}

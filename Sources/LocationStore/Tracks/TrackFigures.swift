package import Geodesy

/// The number of fixes, the length and the times of a part of a track, added up entry by entry, and joined with the
/// following part.
package struct TrackFigures: Hashable, Sendable {
  package private(set) var points = 0
  /// The length of the line through the fixes, without the gaps at interruptions.
  package private(set) var distance = Meters(0)
  /// The times of the earliest and of the latest fix; `nil` if there are no fixes.
  package private(set) var begin: GNSSTime?
  package private(set) var end: GNSSTime?
  /// The first fix, if no interruption comes before it.
  private var first: Place?
  /// The last fix, if no interruption comes after it.
  private var last: Place?
  private var isInterrupted = false

  private struct Place: Hashable {
    let coordinate: Coordinate
    let isImported: Bool
  }

  package init() {}

  package mutating func add(_ entry: TrackEntry) {
    switch entry {
    case .interruption:
      last = nil
      isInterrupted = true
    case .fix(let fix):
      if let last { distance = distance + Geodesic.distance(from: last.coordinate, to: fix.coordinate) }
      let place = Place(coordinate: fix.coordinate, isImported: fix.isImported)
      if points == 0, !isInterrupted { first = place }
      points += 1
      last = place
      begin = min(begin ?? fix.time, fix.time)
      end = max(end ?? fix.time, fix.time)
    }
  }

  /// Adds the following part of the track. A recorded part and an imported part that follow each other are not
  /// connected: where their fixes are close in time, they are one part (`LogFigures`).
  package mutating func join(_ next: TrackFigures) {
    guard points > 0 || isInterrupted else {
      self = next
      return
    }
    if let last, let first = next.first, last.isImported == first.isImported {
      distance = distance + Geodesic.distance(from: last.coordinate, to: first.coordinate)
    }
    distance = distance + next.distance
    points += next.points
    if next.points > 0 || next.isInterrupted { last = next.last }
    begin = [begin, next.begin].compactMap(\.self).min()
    end = [end, next.end].compactMap(\.self).max()
  }
}

extension TrackFigures {
  /// The figures of one file of a log that is not encrypted, which is read from beginning to end.
  init(ofFile path: String) {
    self.init()
    var damage = TrackDamage()
    guard var reader = SegmentReader(path: path, key: nil, damage: &damage) else { return }
    while let entries = reader.next(&damage) {
      if reader.takeHole() { add(.interruption(.gap)) }
      for entry in entries { add(entry) }
    }
  }
}

extension TrackFolder {
  /// The figures of one segment of a log that is not encrypted, which is read from beginning to end.
  package func figures(of sequence: Int) -> TrackFigures { TrackFigures(ofFile: path(of: sequence)) }
}

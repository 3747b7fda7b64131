package import Geodesy

/// The number of fixes and the length of a part of a track, added up entry by entry, and joined with the part after it.
package struct TrackFigures: Hashable, Sendable {
  package private(set) var points = 0
  /// The length of the line through the fixes, without interruptions.
  package private(set) var distance = Meters(0)
  /// The first fix, if no interruption comes before it.
  private var first: Coordinate?
  /// The last fix, if no interruption comes after it.
  private var last: Coordinate?
  private var isInterrupted = false

  package init() {}

  package mutating func add(_ entry: TrackEntry) {
    switch entry {
    case .interruption:
      last = nil
      isInterrupted = true
    case .fix(let fix):
      if let last { distance = distance + Geodesic.distance(from: last, to: fix.coordinate) }
      if points == 0, !isInterrupted { first = fix.coordinate }
      points += 1
      last = fix.coordinate
    }
  }

  /// Adds the part of the track that follows.
  package mutating func join(_ next: TrackFigures) {
    guard points > 0 || isInterrupted else {
      self = next
      return
    }
    if let last, let begin = next.first { distance = distance + Geodesic.distance(from: last, to: begin) }
    distance = distance + next.distance
    points += next.points
    if next.points > 0 || next.isInterrupted { last = next.last }
  }
}

extension TrackFolder {
  /// The figures of one segment of a log that is not encrypted, which is read from beginning to end.
  package func figures(of sequence: Int) -> TrackFigures {
    var figures = TrackFigures()
    var damage = TrackDamage()
    guard var reader = SegmentReader(path: path(of: sequence), key: nil, damage: &damage) else { return figures }
    while let entries = reader.next(&damage) {
      if reader.takeHole() { figures.add(.interruption(.gap)) }
      for entry in entries { figures.add(entry) }
    }
    return figures
  }

  /// The last readable fix of a log that is not encrypted; `nil`: there is none.
  package var lastFix: PositionFix? {
    guard let segments = try? segments() else { return nil }
    for segment in segments.reversed() {
      var (fix, damage): (PositionFix?, TrackDamage) = (nil, TrackDamage())
      guard var reader = SegmentReader(path: path(of: segment.sequence), key: nil, damage: &damage) else { continue }
      while let entries = reader.next(&damage) {
        for case .fix(let last) in entries { fix = last }
      }
      if let fix { return fix }
    }
    return nil
  }
}

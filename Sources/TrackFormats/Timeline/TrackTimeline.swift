package import Geodesy

/// A track that can be asked where it was at a time.
package struct TrackTimeline: Sendable {
  /// Segments, the samples of each in the order of their times.
  private var segments: [[TrackSample]] = []
  private var isInterrupted = true

  package init() {}

  /// How many samples it has.
  package var count: Int { segments.reduce(0) { $0 + $1.count } }
  /// The earliest and the latest time; `nil` of an empty track.
  package var range: ClosedRange<GNSSTime>? {
    guard let first = segments.compactMap(\.first?.time).min(), let last = segments.compactMap(\.last?.time).max()
    else { return nil }
    return first...last
  }

  /// Adds an entry of a recorded track.
  package mutating func append(_ entry: TrackEntry) {
    switch entry {
    case .interruption: interrupt()
    case .fix(let fix): append(TrackSample(fix))
    }
  }

  /// What comes next does not follow from what came before.
  package mutating func interrupt() { isInterrupted = true }

  /// Adds a sample; one of the same time as the one before it is left out. Where time goes back, as behind a date that was
  /// wrong for a while, the track is interrupted.
  package mutating func append(_ sample: TrackSample) {
    guard !isInterrupted, let last = segments.last?.last, sample.time >= last.time else {
      segments.append([sample])
      isInterrupted = false
      return
    }
    if sample.time > last.time { segments[segments.count - 1].append(sample) }
  }

  /// Where it was at `time`: on the geodesic between the two samples around it, where they are of one segment and no more
  /// than `limit` apart; else at the nearest sample that is no further from it than that. `nil` where there is none.
  package func sample(at time: GNSSTime, within limit: Duration) -> TrackSample? {
    var nearest: (distance: Duration, sample: TrackSample)?
    for segment in segments {
      let index = Self.firstIndex(in: segment, notBefore: time)
      let after = index < segment.count ? segment[index] : nil
      let before = index > 0 ? segment[index - 1] : nil
      if let after, after.time == time { return after }
      if let before, let after, after.time - before.time <= limit {
        return Self.between(before, after, at: time)
      }
      for candidate in [before, after].compactMap(\.self) {
        let distance = candidate.time < time ? time - candidate.time : candidate.time - time
        if distance <= limit, distance < nearest?.distance ?? .seconds(Int64.max) { nearest = (distance, candidate) }
      }
    }
    return nearest?.sample
  }

  private static func firstIndex(in segment: [TrackSample], notBefore time: GNSSTime) -> Int {
    var (low, high) = (0, segment.count)
    while low < high {
      let middle = (low + high) / 2
      if segment[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func between(_ first: TrackSample, _ second: TrackSample, at time: GNSSTime) -> TrackSample {
    let share = (time - first.time).inSeconds / (second.time - first.time).inSeconds
    let line = Geodesic.inverse(from: first.coordinate, to: second.coordinate)
    let place = Geodesic.direct(from: first.coordinate, course: line.initialCourse, distance: line.distance * share)
    var sample = TrackSample(time: time, coordinate: place.coordinate)
    if let low = first.heightAboveMeanSeaLevel, let high = second.heightAboveMeanSeaLevel {
      sample.heightAboveMeanSeaLevel = low + (high - low) * share
    }
    // The worse of both: nothing is known of what lies between.
    if let a = first.horizontalRadius68, let b = second.horizontalRadius68 { sample.horizontalRadius68 = max(a, b) }
    return sample
  }
}

/// Where something was at one time: what is left of a fix when only its track counts.
package struct TrackSample: Hashable, Sendable {
  package var time: GNSSTime
  package var coordinate: Coordinate
  /// By the receiver's word, or else by the geoid.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % radius, where it is known.
  package var horizontalRadius68: Meters?

  package init(
    time: GNSSTime, coordinate: Coordinate, heightAboveMeanSeaLevel: Meters? = nil, horizontalRadius68: Meters? = nil
  ) {
    self.time = time
    self.coordinate = coordinate
    self.heightAboveMeanSeaLevel = heightAboveMeanSeaLevel
    self.horizontalRadius68 = horizontalRadius68
  }

  /// What a recorded fix says.
  package init(_ fix: PositionFix) {
    self.init(
      time: fix.time, coordinate: fix.coordinate,
      heightAboveMeanSeaLevel: FixHeights(fix).aboveMeanSeaLevel.map { Meters($0) },
      horizontalRadius68: fix.horizontalRadius68)
  }
}

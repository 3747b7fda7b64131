package import Geodesy

/// A track that returns its position at a given time.
package struct TrackTimeline: Sendable {
  /// Segments; the samples of each in chronological order.
  private var segments: [[TrackSample]] = []
  private var isInterrupted = true

  package init() {}

  /// The number of samples.
  package var count: Int { segments.reduce(0) { $0 + $1.count } }
  /// The earliest and the latest time; `nil` for an empty track.
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

  /// Starts a new segment: the next sample is not connected to the previous one.
  package mutating func interrupt() { isInterrupted = true }

  /// Adds a sample, unless it has the time of the one before. If time goes back, as after a date that was wrong for a while, a new
  /// segment starts.
  package mutating func append(_ sample: TrackSample) {
    guard !isInterrupted, let last = segments.last?.last, sample.time >= last.time else {
      segments.append([sample])
      isInterrupted = false
      return
    }
    if sample.time > last.time { segments[segments.count - 1].append(sample) }
  }

  /// The position at `time`: on the geodesic between the two samples around it if they belong to one segment and are no more than
  /// `limit` apart; else at the nearest sample within `limit` of `time`. `nil` if there is none.
  package func sample(at time: GNSSTime, within limit: Duration) -> TrackSample? {
    var nearest: (distance: Duration, sample: TrackSample)?
    for segment in segments {
      let index = segment.partitioningIndex { $0.time >= time }
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

  private static func between(_ first: TrackSample, _ second: TrackSample, at time: GNSSTime) -> TrackSample {
    let share = (time - first.time).inSeconds / (second.time - first.time).inSeconds
    let line = Geodesic.inverse(from: first.coordinate, to: second.coordinate)
    let place = Geodesic.direct(from: first.coordinate, course: line.initialCourse, distance: line.distance * share)
    var sample = TrackSample(time: time, coordinate: place.coordinate)
    if let low = first.heightAboveMeanSeaLevel, let high = second.heightAboveMeanSeaLevel {
      sample.heightAboveMeanSeaLevel = low + (high - low) * share
    }
    // The larger of both: nothing is known about the path between them.
    if let a = first.horizontalRadius68, let b = second.horizontalRadius68 { sample.horizontalRadius68 = max(a, b) }
    return sample
  }
}

/// The position at one time: the part of a fix that matters for a track.
package struct TrackSample: Hashable, Sendable {
  package var time: GNSSTime
  package var coordinate: Coordinate
  /// From the receiver, or otherwise computed with the geoid model.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % radius, if known.
  package var horizontalRadius68: Meters?

  package init(
    time: GNSSTime, coordinate: Coordinate, heightAboveMeanSeaLevel: Meters? = nil, horizontalRadius68: Meters? = nil
  ) {
    self.time = time
    self.coordinate = coordinate
    self.heightAboveMeanSeaLevel = heightAboveMeanSeaLevel
    self.horizontalRadius68 = horizontalRadius68
  }

  /// The sample of a recorded fix.
  package init(_ fix: PositionFix) {
    self.init(
      time: fix.time, coordinate: fix.coordinate,
      heightAboveMeanSeaLevel: FixHeights(fix).aboveMeanSeaLevel.map { Meters($0) },
      horizontalRadius68: fix.knownHorizontalRadius68)
  }
}

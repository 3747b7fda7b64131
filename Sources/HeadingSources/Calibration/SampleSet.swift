/// Readings of a magnetometer that differ from each other: at most one within a distance, so that a device that stands still does
/// not outweigh one turn. The distance is between readings and not between directions, because these need the offset.
package struct SampleSet: Sendable {
  /// The number of readings that are kept.
  package static let capacity = 120
  /// Distance below which two readings count as the same, in units of the horizontal field: a level turn fills the set.
  private static let separation = 0.055

  /// The readings, in no particular order.
  package private(set) var samples: [MagnetometerSample] = []

  /// An empty set.
  package init() {}

  /// The number of readings.
  package var count: Int { samples.count }

  /// Adds a reading. It replaces an earlier one that is almost the same, or the nearest one if the set is full, so that the set
  /// covers as much as before. Returns whether it differs from all earlier ones.
  package mutating func insert(_ sample: MagnetometerSample, horizontalMicrotesla: Double) -> Bool {
    guard sample.microtesla.length.isFinite else { return false }
    let distances = samples.map { ($0.microtesla - sample.microtesla).length }
    let nearest = distances.indices.min { distances[$0] < distances[$1] }
    let isNew = nearest.map { distances[$0] > Self.separation * horizontalMicrotesla } ?? true
    if let nearest, !isNew || samples.count == Self.capacity {
      samples[nearest] = sample
    } else {
      samples.append(sample)
    }
    return isNew
  }

  /// Removes all readings.
  package mutating func removeAll() { samples = [] }
}

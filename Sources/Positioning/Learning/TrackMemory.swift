import Geodesy

/// The last fixes, and the machine's positions between them.
struct TrackMemory {
  /// The stored part of a fix.
  struct Point {
    var instant: Instant
    var coordinate: Coordinate
    /// Meters.
    var radius68: Double
    /// m/s.
    var speed: Double
    var day: Int
  }

  /// The machine's position at an instant.
  struct Place {
    var coordinate: Coordinate
    /// Meters, including possible movement since the nearest fix.
    var radius68: Double
    /// m/s.
    var speed: Double
    /// Time to the nearest fix, seconds, ≥ 0.
    var age: Double
    var day: Int
  }

  private(set) var points: [Point] = []

  var last: Instant? { points.last?.instant }

  /// Adds a fix; ignores one that is not after the last. Replaces the last one if it is nearer in time to the one
  /// before it than `fixSpacing`.
  mutating func append(_ point: Point, _ tuning: PositioningTuning.Observing) {
    if let last = points.last {
      guard point.instant > last.instant else { return }
      if points.count >= 2, (last.instant - points[points.count - 2].instant).inSeconds < tuning.fixSpacing {
        points.removeLast()
      }
    }
    points.append(point)
    if points.count > tuning.fixes { points.removeFirst(points.count - tuning.fixes) }
  }

  /// The position at an instant: interpolated between the fixes on both sides if these are close enough in time, else that of
  /// the nearest fix.
  func place(at instant: Instant, _ tuning: PositioningTuning.Observing) -> Place? {
    let next = points.firstIndex { $0.instant >= instant } ?? points.count
    let after = next < points.count ? points[next] : nil
    let before = next > 0 ? points[next - 1] : nil
    if let before, let after, (after.instant - before.instant).inSeconds <= tuning.greatestAge {
      return between(before, after, at: instant)
    }
    let sides = [before, after].compactMap { point in
      point.map { (point: $0, age: abs(($0.instant - instant).inSeconds)) }
    }
    guard let (point, age) = sides.min(by: { $0.age < $1.age }) else { return nil }
    return Place(
      coordinate: point.coordinate, radius68: point.radius68 + age * point.speed, speed: point.speed, age: age,
      day: point.day)
  }

  private func between(_ before: Point, _ after: Point, at instant: Instant) -> Place {
    let whole = (after.instant - before.instant).inSeconds
    let part = (instant - before.instant).inSeconds
    let share = part / whole
    let frame = LocalFrame(origin: before.coordinate)
    let step = frame.offset(of: after.coordinate)
    let speed = max(before.speed, after.speed, step.length.value / whole)
    let age = min(part, whole - part)
    return Place(
      coordinate: frame.coordinate(
        at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters)),
      // Assumed: the machine is off the straight line by at most a quarter of the way to the nearer fix.
      radius68: max(before.radius68, after.radius68) + age * speed / 4, speed: speed, age: age,
      day: share < 0.5 ? before.day : after.day)
  }
}

import Geodesy

/// When a border was crossed, between fixes.
struct CrossingTime {
  let memory: FixMemory
  /// Metres beyond the border of a point, negative before it.
  let beyond: (SIMD3<Double>) -> Double

  /// The last time that the way of the fixes, averaged, came over the border; where averaged it has not, that of the bare fixes.
  var time: GNSSTime? {
    time { memory.smoothed($0) } ?? time { memory.fixes[$0].point }
  }

  private func time(_ place: (Int) -> SIMD3<Double>) -> GNSSTime? {
    var number = memory.fixes.count - 1
    guard number > 0 else { return nil }
    var next = place(number)
    guard beyond(next) > 0 else { return nil }
    while number > 0 {
      let last = place(number - 1)
      if beyond(last) <= 0 { return time(from: last, memory.fixes[number - 1], to: next, memory.fixes[number]) }
      (next, number) = (last, number - 1)
    }
    return nil
  }

  /// Between two fixes the way is the cubic that has their places and speeds; a straight line where a speed is not known.
  private func time(
    from start: SIMD3<Double>, _ first: RememberedFix, to end: SIMD3<Double>, _ second: RememberedFix
  ) -> GNSSTime {
    let step = second.time - first.time
    let seconds = step.inSeconds
    func place(_ share: Double) -> SIMD3<Double> {
      guard let v = first.velocity, let w = second.velocity else { return start + (end - start) * share }
      let (s2, s3) = (share * share, share * share * share)
      let fromStart = start + (end - start) * (3 * s2 - 2 * s3)
      return fromStart + v * (seconds * (s3 - 2 * s2 + share)) + w * (seconds * (s3 - s2))
    }
    var (before, after) = (0.0, 1.0)
    for _ in 0..<32 {
      let middle = (before + after) / 2
      if beyond(place(middle)) <= 0 { before = middle } else { after = middle }
    }
    return first.time + .nanoseconds(Int64(seconds * after * 1e9))
  }
}

package import Geodesy

/// Decides when a crossing is certain (hysteresis at the border), and when it happened.
extension RegionMonitor {
  /// Distance beyond a border in the direction of a state, meters; negative before the border.
  private func beyond(_ slot: UInt32, _ state: RegionState, _ point: SIMD3<Double>) -> Double {
    let distance = regions.index.distance(slot, from: point)
    return distance.isInside == (state == .inside) ? distance.atLeast : -distance.atLeast
  }

  /// Whether the newest fix, together with those before it, proves a crossing.
  ///
  /// Far enough beyond the border, the fix alone is proof. Nearer to it, the speed has to account for the path from the
  /// last fix that was clearly on the other side: a device at rest crosses nothing, even if its position wanders, and a
  /// jump is not a path. If the positions jump individually, their mean has to agree.
  func isSure(_ slot: UInt32, _ state: RegionState) -> Bool {
    guard let newest = memory.fixes.last else { return false }
    let depth = beyond(slot, state, newest.point)
    guard depth >= newest.margin else { return false }
    let isDeep = depth >= newest.sureMargin
    // There are no earlier fixes to compare.
    guard memory.fixes.count > 1 else { return isDeep }

    var (isStaying, since) = (true, newest.time)
    var old: (fix: RememberedFix, beyond: Double)?
    for fix in memory.fixes.dropLast().reversed() {
      let there = beyond(slot, state, fix.point)
      if there <= -fix.margin {
        old = (fix, there)
        break
      }
      isStaying = isStaying && there >= fix.margin
      if isStaying { since = fix.time }
    }
    if isDeep, newest.time - since >= tuning.stay { return true }
    guard !memory.isJumping(newest) || isMeanBeyond(slot, state, newest) else { return false }
    let from = old?.fix ?? memory.fixes[0]
    if from.chain == newest.chain {
      let way = (newest.displacement - from.displacement).length
      return way >= tuning.travelledShare * (depth - (old?.beyond ?? 0))
    }
    guard isDeep else { return false }
    // Without a known speed, two fixes must agree, or enough time must lie between them.
    let before = memory.fixes[memory.fixes.count - 2]
    return hasGap(since: from) || beyond(slot, state, before.point) > 0
  }

  /// Whether the side is certain for a region whose state is unknown: far from the border at once. Nearer to it, a first fix is
  /// more often wrong than one that others follow, and the mean of the fixes of some seconds has to agree.
  func isSettled(_ slot: UInt32, _ state: RegionState, depth: Double) -> Bool {
    guard let newest = memory.fixes.last, depth >= newest.margin else { return false }
    if depth >= newest.sureMargin { return true }
    if newest.time - newest.chainStart >= tuning.settling { return isMeanBeyond(slot, state, newest) }
    // Without a known speed, two fixes must agree.
    guard let last = memory.fixes.dropLast().last, last.chain != newest.chain else { return false }
    return beyond(slot, state, last.point) >= last.margin
  }

  private func isMeanBeyond(_ slot: UInt32, _ state: RegionState, _ newest: RememberedFix) -> Bool {
    beyond(slot, state, memory.newestMean ?? newest.point) >= tuning.meanShare * newest.margin
  }

  private func hasGap(since first: RememberedFix) -> Bool {
    memory.fixes.reversed().prefix { $0.time > first.time }.contains { $0.isAfterGap && $0.velocity != nil }
  }

  /// When the border was crossed; `nil`: not between the remembered fixes.
  func timeOfCrossing(_ slot: UInt32, to state: RegionState) -> GNSSTime? {
    CrossingTime(memory: memory, beyond: { beyond(slot, state, $0) }).time
  }
}

/// Computes when a border was crossed, between fixes.
struct CrossingTime {
  let memory: FixMemory
  /// Distance of a point beyond the border, meters; negative before it.
  let beyond: (SIMD3<Double>) -> Double

  /// The last time at which the smoothed path crossed the border; if it has not, the last time at which the unsmoothed path did.
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

  /// Between two fixes the path is the cubic with their positions and velocities; a straight line if a velocity is unknown.
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

/// A border was crossed.
package struct RegionCrossing: Hashable, Sendable {
  package let identifier: String
  /// Where the device is now: inside or outside.
  package let state: RegionState
  /// When it crossed the border, between fixes; `nil`: not observed, for example because the service was not running
  /// then.
  package let time: GNSSTime?
  /// Whether the owner has requested events in this direction.
  package let isWanted: Bool

  package init(identifier: String, state: RegionState, time: GNSSTime?, isWanted: Bool) {
    (self.identifier, self.state, self.time, self.isWanted) = (identifier, state, time, isWanted)
  }
}

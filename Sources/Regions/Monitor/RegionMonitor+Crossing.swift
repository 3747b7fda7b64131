package import Geodesy

/// When a crossing is sure, and when it was.
extension RegionMonitor {
  /// Metres beyond a border, in the direction of a state; negative before it.
  private func beyond(_ slot: UInt32, _ state: RegionState, _ point: SIMD3<Double>) -> Double {
    let distance = regions.index.distance(slot, from: point)
    return distance.isInside == (state == .inside) ? distance.atLeast : -distance.atLeast
  }

  /// Whether the newest fix, and those before it, leave no doubt of a crossing.
  ///
  /// Far enough beyond the border, the fix alone says so. Nearer, the way from the last fix that was clearly on the other side has
  /// to be one that the speed accounts for: what stands still crosses nothing, however its position wanders, and a jump is no way.
  /// Where each position jumps, what they say together has to agree.
  func isSure(_ slot: UInt32, _ state: RegionState) -> Bool {
    guard let newest = memory.fixes.last else { return false }
    let depth = beyond(slot, state, newest.point)
    guard depth >= newest.margin else { return false }
    let isDeep = depth >= newest.sureMargin
    // Nothing is known of before.
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
    // Where no speed tells, two say the same, or there was time enough between them.
    let before = memory.fixes[memory.fixes.count - 2]
    return hasGap(since: from) || beyond(slot, state, before.point) > 0
  }

  /// Whether it is sure on which side the device is, of which nothing is known yet: far from the border at once; nearer, a first fix
  /// is more often wrong than one that others follow, and what those of some seconds say together has to agree.
  func isSettled(_ slot: UInt32, _ state: RegionState, depth: Double) -> Bool {
    guard let newest = memory.fixes.last, depth >= newest.margin else { return false }
    if depth >= newest.sureMargin { return true }
    if newest.time - newest.chainStart >= tuning.settling { return isMeanBeyond(slot, state, newest) }
    // Where no speed tells, two say the same.
    guard let last = memory.fixes.dropLast().last, last.chain != newest.chain else { return false }
    return beyond(slot, state, last.point) >= last.margin
  }

  private func isMeanBeyond(_ slot: UInt32, _ state: RegionState, _ newest: RememberedFix) -> Bool {
    beyond(slot, state, memory.newestMean ?? newest.point) >= tuning.meanShare * newest.margin
  }

  private func hasGap(since first: RememberedFix) -> Bool {
    memory.fixes.reversed().prefix { $0.time > first.time }.contains { $0.isAfterGap && $0.velocity != nil }
  }

  /// When the border was crossed; `nil`: before anything that is remembered.
  func timeOfCrossing(_ slot: UInt32, to state: RegionState) -> GNSSTime? {
    CrossingTime(memory: memory, beyond: { beyond(slot, state, $0) }).time
  }
}

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

/// A border was crossed.
package struct RegionCrossing: Hashable, Sendable {
  package let identifier: String
  /// Where the device is now: inside or outside.
  package let state: RegionState
  /// When it crossed the border, between fixes; `nil`: nobody saw it, as nothing ran then.
  package let time: GNSSTime?
  /// Whether its owner wants to hear of crossings in this direction.
  package let isWanted: Bool

  package init(identifier: String, state: RegionState, time: GNSSTime?, isWanted: Bool) {
    (self.identifier, self.state, self.time, self.isWanted) = (identifier, state, time, isWanted)
  }
}

package import Geodesy

/// Detects border crossings (Documentation/Behavior.md, "Regions") with the certainty that the radii of the fixes allow, and
/// computes the time of the crossing itself.
package struct RegionMonitor: Sendable {
  /// The inputs of the machine.
  package enum Input: Sendable {
    /// Monitors a region in place of one with the same identifier. If only its notification settings differ, the state is kept.
    case add(Region, assuming: RegionState = .unknown)
    case remove(String)
    case requestState(String)
    /// A fix; and the receiver's own fix, if `fix` was computed from that and others before it.
    case fix(PositionFix, received: PositionFix? = nil)
    /// Sets the timing of a monitored region in place of its current one; `add` with another shape deletes it.
    case timing(RegionTiming, of: String)
    /// `nextDeadline` was reached. Calling early is harmless.
    case wake
  }

  /// The outputs of the machine.
  package enum Action: Hashable, Sendable {
    case crossed(RegionCrossing)
    /// The unknown state became known; no border was crossed.
    case determined(String, RegionState)
    /// The answer to `requestState`; `nil`: no such region is monitored.
    case state(String, RegionState?)
    /// For as long as the region's timing allows, no position has decided on which side of its border the device is: there was no
    /// fix, or the radii were larger than the region. `determined` or `crossed` follows once a position decides.
    case undecided(String)
  }

  /// An area around a point without any border.
  private struct BorderFreeZone {
    var point: SIMD3<Double>
    var distance: Double
  }

  var regions: RegionTable
  let tuning: RegionTuning
  var memory: FixMemory
  private var inside: Set<UInt32> = []
  private(set) var unknown: Set<UInt32> = []
  var timed = TimedRegions()
  /// The area in which nothing can happen; `nil`: unknown, or a crossing has yet to be confirmed.
  private var quiet: BorderFreeZone?
  /// The position of the last fix.
  private var lastPoint: SIMD3<Double>?
  /// The result of one search; a property so that its memory is reused.
  private var found: [UInt32] = []

  package init(tuning: RegionTuning = RegionTuning()) { self.init(RegionTable(), tuning: tuning) }

  init(_ regions: RegionTable, tuning: RegionTuning = RegionTuning()) {
    self.regions = regions
    self.tuning = tuning
    memory = FixMemory(tuning)
    for slot in regions.slots { note(regions.state(slot), slot) }
  }

  /// The number of monitored regions.
  package var count: Int { regions.count }
  /// Bytes of the identifiers and coordinates of all of them (`Region.bytes`).
  package var bytes: Int { regions.bytes }

  /// All regions and their states, neighbors together.
  package var watched: some Sequence<(region: Region, state: RegionState)> {
    regions.slotsAlongCurve.lazy.compactMap { slot in regions.region(slot).map { ($0, regions.state(slot)) } }
  }

  /// Some of the monitored regions, from a number on, which is 0 at first. `next`: the number to go on from; `nil`: there are no
  /// more.
  package func entries(
    from start: UInt32, most: Int
  ) -> (entries: [(region: Region, state: RegionState)], next: UInt32?) {
    var found: [(region: Region, state: RegionState)] = []
    for slot in start..<max(start, regions.index.slotEnd) {
      guard let region = regions.region(slot) else { continue }
      guard found.count < most else { return (found, slot) }
      found.append((region, regions.state(slot)))
    }
    return (found, nil)
  }

  /// Whether more fixes are needed soon: to confirm a crossing, or because a state is unknown.
  package var isUnsettled: Bool { count > 0 && (quiet == nil || !unknown.isEmpty) }

  /// How far the device can go from the last fix before anything may happen; `nil`: unknown. Infinite if there is no border.
  package var distanceToNearestBorder: Meters? {
    guard let quiet, let lastPoint else { return nil }
    return Meters(max(0, quiet.distance - Chord.longestWay(over: (lastPoint - quiet.point).length)))
  }

  /// Handles one input and returns the actions.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .add(let region, let assumed):
      add(region, assumed)
      return []
    case .remove(let identifier):
      if let slot = regions.slot(of: identifier) { remove(slot) }
      return []
    case .requestState(let identifier):
      return [.state(identifier, regions.slot(of: identifier).map { regions.state($0) })]
    case .timing(let timing, let identifier):
      set(timing, of: identifier, at: now)
      return []
    case .wake:
      return wake(at: now)
    case .fix(let fix, let received):
      return update(fix, received, at: now)
    }
  }

  private mutating func add(_ region: Region, _ assumed: RegionState) {
    if let slot = regions.slot(of: region.identifier) {
      if regions.region(slot)?.shape == region.shape {
        regions.setNotifications(of: region, slot)
        return
      }
      remove(slot)
    }
    let slot = regions.add(region, assumed)
    note(assumed, slot)
    quiet = nil
  }

  private mutating func remove(_ slot: UInt32) {
    regions.remove(slot)
    inside.remove(slot)
    unknown.remove(slot)
    timed.remove(slot)
  }

  /// Sets a region's state as it was before a restart.
  package mutating func assume(_ state: RegionState, of identifier: String) {
    guard let slot = regions.slot(of: identifier), regions.state(slot) != state else { return }
    inside.remove(slot)
    unknown.remove(slot)
    regions.set(state, slot)
    note(state, slot)
    quiet = nil
  }

  private mutating func note(_ state: RegionState, _ slot: UInt32) {
    switch state {
    case .unknown: unknown.insert(slot)
    case .inside: inside.insert(slot)
    case .outside: break
    }
  }

  // MARK: - Fixes

  private mutating func update(_ fix: PositionFix, _ received: PositionFix?, at now: Instant) -> [Action] {
    // A flagged fix causes no crossing.
    guard fix.qualityFlag == nil, fix.horizontalRadius68.value.isFinite, memory.add(fix, received: received),
      let newest = memory.fixes.last
    else { return [] }
    lastPoint = newest.point
    if let quiet, unknown.isEmpty, timed.entries.isEmpty,
      Chord.longestWay(over: (newest.point - quiet.point).length) < quiet.distance
    {
      var actions: [Action] = []
      decide(newest, at: now, &actions)
      return actions
    }
    if memory.isJumping(newest) || !unknown.isEmpty { memory.average() }
    var actions = settle(newest)
    found.removeAll(keepingCapacity: true)
    regions.index.collect(containing: fix.coordinate, newest.point, into: &found)
    let entered = found.filter { regions.state($0) == .outside }
    let left = inside.filter { !regions.index.contains($0, fix.coordinate, newest.point) }
    var isPending = endEntries(besides: entered)
    for slot in left.sorted() {
      if let crossing = crossing(slot, to: .outside) { actions.append(.crossed(crossing)) } else { isPending = true }
    }
    for slot in entered.sorted() {
      if let time = timed.dwells[slot] {
        isPending = dwell(slot, time, at: now, &actions) || isPending
      } else if let crossing = crossing(slot, to: .inside) {
        actions.append(.crossed(crossing))
      } else {
        isPending = true
      }
    }
    let border = isPending ? nil : regions.index.nearestBorder(from: fix.coordinate)
    quiet = isPending ? nil : BorderFreeZone(point: newest.point, distance: border?.value ?? .infinity)
    decide(newest, at: now, &actions)
    return actions
  }

  /// Determines the states of the regions that are unknown.
  private mutating func settle(_ fix: RememberedFix) -> [Action] {
    guard !unknown.isEmpty else { return [] }
    var actions: [Action] = []
    for slot in unknown.sorted() {
      let distance = regions.index.distance(slot, from: fix.point)
      guard let isInside = distance.isInside else { continue }
      let state: RegionState = isInside ? .inside : .outside
      guard isSettled(slot, state, depth: distance.atLeast) else { continue }
      unknown.remove(slot)
      regions.set(state, slot)
      note(state, slot)
      actions.append(.determined(regions.identifier(slot), state))
    }
    return actions
  }

  /// The crossing of a border beyond which the newest fix lies; `nil`: not certain.
  private mutating func crossing(_ slot: UInt32, to state: RegionState) -> RegionCrossing? {
    isSure(slot, state) ? cross(slot, to: state, at: timeOfCrossing(slot, to: state)) : nil
  }

  mutating func cross(_ slot: UInt32, to state: RegionState, at time: GNSSTime?) -> RegionCrossing {
    if state == .inside { inside.insert(slot) } else { inside.remove(slot) }
    regions.set(state, slot)
    return RegionCrossing(
      identifier: regions.identifier(slot), state: state, time: time, isWanted: regions.wants(state, slot))
  }
}

extension RegionMonitor {
  /// The region of that identifier and its state; `nil`: no such region is monitored.
  package func watched(_ identifier: String) -> (region: Region, state: RegionState)? {
    guard let slot = regions.slot(of: identifier), let region = regions.region(slot) else { return nil }
    return (region, regions.state(slot))
  }
}

package import Geodesy

/// Entries that count after a dwell time, and regions whose state becomes undecided.
extension RegionMonitor {
  /// When `.wake` is due; `nil`: never.
  package var nextDeadline: Instant? { timed.watches.values.lazy.filter { !$0.isUndecided }.map(\.deadline).min() }

  /// The time by which a position is needed whatever the distance to the nearest border; `nil`: no region has such a time.
  ///
  /// - Parameter patience: how long it may take to get a position; the search begins early enough for that.
  package func timedCheck(patience: Duration) -> Instant? {
    let watches = timed.watches.values.lazy.map { $0.isUndecided ? $0.decidedAt : $0.deadline - patience }
    let entries = timed.entries.lazy.compactMap { slot, entry in timed.dwells[slot].map { entry.at + $0 } }
    return [watches.min(), entries.min()].compactMap(\.self).min()
  }

  /// The 68 % radius with which a position decides the state of all regions that may become unknown; `nil`: there are none.
  package var decidingRadius: Meters? { timed.watches.values.lazy.map { Meters($0.size / 2) }.min() }

  /// The number of regions with a timing.
  package var timedCount: Int { timed.timings.count }

  package func timing(of identifier: String) -> RegionTiming {
    regions.slot(of: identifier).flatMap { timed.timings[$0] } ?? RegionTiming()
  }

  /// Whether it was reported that the side of the border is unknown.
  package func isUndecided(_ identifier: String) -> Bool {
    regions.slot(of: identifier).flatMap { timed.watches[$0]?.isUndecided } ?? false
  }

  mutating func set(_ timing: RegionTiming, of identifier: String, at now: Instant) {
    guard let slot = regions.slot(of: identifier), let region = regions.region(slot) else { return }
    let size =
      switch region.shape {
      case .circle(let circle): circle.radius.value
      case .polygon(let polygon): polygon.reach.value
      }
    timed.set(timing, slot, size: size, at: now)
  }

  /// Reports the regions whose time has run out.
  mutating func wake(at now: Instant) -> [Action] {
    let due = timed.watches.filter { !$0.value.isUndecided && $0.value.deadline <= now }.map(\.key).sorted()
    for slot in due { timed.watches[slot]?.isUndecided = true }
    return due.map { .undecided(regions.identifier($0)) }
  }

  /// Records the regions whose side the newest fix decides, and reports those that were unknown.
  mutating func decide(_ fix: RememberedFix, at now: Instant, _ actions: inout [Action]) {
    guard !timed.watches.isEmpty else { return }
    var known: [UInt32] = []
    for (slot, watch) in timed.watches where decides(slot, fix, watch) {
      timed.watches[slot]?.decidedAt = now
      guard watch.isUndecided else { continue }
      timed.watches[slot]?.isUndecided = false
      known.append(slot)
    }
    guard !known.isEmpty else { return }
    let reported = Set(
      actions.compactMap { action -> String? in
        switch action {
        case .crossed(let crossing): crossing.identifier
        case .determined(let identifier, _): identifier
        case .state, .undecided: nil
        }
      })
    for slot in known.sorted() where !reported.contains(regions.identifier(slot)) {
      actions.append(.determined(regions.identifier(slot), regions.state(slot)))
    }
  }

  /// A fix decides the side if it is further from the border than its margin, on the side where the device is assumed to be. Nearer
  /// to the border the device stays on its side until it is certainly beyond; a fix whose margin is larger than the whole region
  /// decides nothing.
  private func decides(_ slot: UInt32, _ fix: RememberedFix, _ watch: TimedRegions.Watch) -> Bool {
    guard !unknown.contains(slot) else { return false }
    let distance = regions.index.distance(slot, from: fix.point)
    guard let isInside = distance.isInside, distance.atLeast >= fix.margin else { return fix.margin <= watch.size }
    return isInside == (regions.state(slot) == .inside || timed.entries[slot] != nil)
  }

  // MARK: - Dwelling

  /// Starts an entry into a region with a dwell time; returns whether more fixes are needed to be certain of it.
  mutating func dwell(
    _ slot: UInt32, _ dwell: Duration, at now: Instant, _ actions: inout [Action]
  ) -> Bool {
    if let entry = timed.entries[slot] {
      guard now - entry.at >= dwell else { return false }
      timed.entries[slot] = nil
      actions.append(.crossed(cross(slot, to: .inside, at: entry.crossedAt)))
      return false
    }
    guard isSure(slot, .inside) else { return true }
    timed.entries[slot] = TimedRegions.Entry(at: now, crossedAt: timeOfCrossing(slot, to: .inside))
    return false
  }

  /// Drops the entries into regions that the device left before they counted; returns whether more fixes are needed to be certain
  /// of one.
  mutating func endEntries(besides entered: [UInt32]) -> Bool {
    guard !timed.entries.isEmpty else { return false }
    var isPending = false
    let inside = Set(entered)
    for slot in timed.entries.keys.sorted() where !inside.contains(slot) {
      if isSure(slot, .outside) { timed.entries[slot] = nil } else { isPending = true }
    }
    return isPending
  }
}

/// The regions whose owners have set a `RegionTiming`, by their slots.
struct TimedRegions: Sendable {
  /// An entry that does not count yet.
  struct Entry: Sendable {
    /// When the first position that was certainly inside arrived.
    var at: Instant
    /// When the border was crossed; `nil`: not observed.
    var crossedAt: GNSSTime?
  }

  /// A region that becomes unknown if no position decides on which side of its border the device is.
  struct Watch: Sendable {
    var limit: Duration
    /// The radius of a circle; for a polygon, from its middle to the furthest corner. Meters.
    var size: Double
    /// When the last deciding position arrived, or monitoring began.
    var decidedAt: Instant
    /// Whether the limit has since passed and was reported.
    var isUndecided = false

    var deadline: Instant { decidedAt + limit }
  }

  private(set) var dwells: [UInt32: Duration] = [:]
  var entries: [UInt32: Entry] = [:]
  var watches: [UInt32: Watch] = [:]
  private(set) var timings: [UInt32: RegionTiming] = [:]

  mutating func set(_ timing: RegionTiming, _ slot: UInt32, size: Double, at now: Instant) {
    guard timing != timings[slot] ?? RegionTiming() else { return }
    timings[slot] = timing.isEmpty ? nil : timing
    dwells[slot] = timing.dwellSeconds.map { .seconds($0) }
    if dwells[slot] == nil { entries[slot] = nil }
    guard let limit = timing.unknownAfterSeconds else { return watches[slot] = nil }
    if watches[slot]?.limit == .seconds(limit) { return }
    watches[slot] = Watch(limit: .seconds(limit), size: size, decidedAt: now)
  }

  mutating func remove(_ slot: UInt32) {
    (timings[slot], dwells[slot], entries[slot], watches[slot]) = (nil, nil, nil, nil)
  }
}

import Geodesy

/// The regions whose owners have set a `RegionTiming`, by their slots.
struct TimedRegions: Sendable {
  /// An entry that does not count yet.
  struct Entry: Sendable {
    /// When the first position that was surely inside arrived.
    var at: Instant
    /// When the border was crossed; `nil`: not observed.
    var crossedAt: GNSSTime?
  }

  /// A region that counts as unknown when no position decides on which side of its border the device is.
  struct Watch: Sendable {
    var limit: Duration
    /// The radius of a circle; of a polygon, from its middle to the furthest corner. Metres.
    var size: Double
    /// When the last deciding position arrived, or the watch began.
    var decidedAt: Instant
    /// Whether the limit has passed since, and was reported.
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

package import Geodesy

/// What the machine's clock is worth.
extension ServiceCore.Settings {
  /// What a core begins with: whatever is certain to be past bounds the dates that a receiver tells.
  ///
  /// - Parameters:
  ///   - clock: the machine's, at `startedAt`.
  ///   - built: the day on which this program was built.
  package init(
    remembering memory: ServiceMemory, clock: GNSSTime, built: CalendarDate?, startedAt: Instant
  ) {
    var floor = built
    if let known = memory.lastGoodTime?.date { floor = max(floor ?? known, known) }
    // A clock that stands before that has not been set since power-on.
    let wall = (clock.isBelievable(after: built) ? clock : nil).flatMap { clock in
      (floor.map { (clock.date ?? $0) >= $0 } ?? true) ? clock : nil
    }
    self.init(eraFloor: floor, wallClock: wall, startedAt: startedAt, memory: memory)
  }
}

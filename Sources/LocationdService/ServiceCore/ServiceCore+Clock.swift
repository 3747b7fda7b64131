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
    let wall = Self.believable(clock, after: built).flatMap { clock in
      (floor.map { (clock.date ?? $0) >= $0 } ?? true) ? clock : nil
    }
    self.init(eraFloor: floor, wallClock: wall, startedAt: startedAt, memory: memory)
  }

  /// The machine's clock, where it has been set since power-on: it does not stand before the day of the build.
  package static func believable(_ clock: GNSSTime, after built: CalendarDate?) -> GNSSTime? {
    guard let built, let today = clock.date else { return clock }
    return today >= built ? clock : nil
  }
}

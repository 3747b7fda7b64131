package import Geodesy

/// How far the machine's clock can be trusted.
extension ServiceCore.Settings {
  /// The settings of a new core: a date that is certainly past bounds the dates that a receiver reports.
  ///
  /// - Parameters:
  ///   - clock: the machine's clock at `startedAt`.
  ///   - built: the day on which this program was built.
  package init(
    remembering memory: ServiceMemory, clock: GNSSTime, built: CalendarDate?, startedAt: Instant
  ) {
    var floor = built
    if let known = memory.lastGoodTime?.date { floor = max(floor ?? known, known) }
    // A clock before that date has not been set since power-on.
    let wall = (clock.isBelievable(after: built) ? clock : nil).flatMap { clock in
      (floor.map { (clock.date ?? $0) >= $0 } ?? true) ? clock : nil
    }
    self.init(eraFloor: floor, wallClock: wall, startedAt: startedAt, memory: memory)
  }
}

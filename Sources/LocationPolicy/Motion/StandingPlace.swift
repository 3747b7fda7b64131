import Fusion
package import Geodesy

/// Where the machine stands still, and since when: by the speed that its fixes tell, and where they tell none by their places.
package struct StandingPlace: Sendable {
  private var standstill = Standstill()
  /// The fix with which it came to a stand; `nil`: it moves.
  package private(set) var place: PositionFix?

  package init() {}

  /// Judges the next fix. Suspect fixes are the caller's to leave out: neither a frozen receiver nor a jammed one says that nothing
  /// moves.
  package mutating func add(_ fix: PositionFix) {
    switch standstill.add(fix) {
    case .arrived: place = fix
    case .staying, .wavering: break
    case .departed: place = nil
    case .moving:
      // Without a speed (Wi-Fi), the place tells, late.
      let isHere = place.map { Standstill.isWithinReach(fix, of: $0) } ?? false
      if !isHere || fix.speedMetersPerSecond != nil { place = fix.speedMetersPerSecond == nil ? fix : nil }
    }
  }

  /// How long it has stood still; `nil`: it moves.
  package func duration(at now: Instant) -> Duration? { place.map { now - $0.receivedAt } }
}

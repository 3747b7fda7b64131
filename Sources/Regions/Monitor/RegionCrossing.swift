package import Geodesy

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

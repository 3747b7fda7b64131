package import Geodesy
package import Regions

/// What was told last of a region.
package struct MonitoringRecord: Hashable, Sendable {
  package var state: RegionState
  /// `nil`: nobody saw when.
  package var time: GNSSTime?

  package init(state: RegionState, time: GNSSTime?) {
    self.state = state
    self.time = time
  }
}

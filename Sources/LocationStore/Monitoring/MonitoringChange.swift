package import LocationPolicy
package import Regions

/// One thing to be kept of a list's regions.
package enum MonitoringChange: Hashable, Sendable {
  /// A region is watched, in place of one of the same identifier.
  case add(Region, RegionState, MonitoringLaunch = MonitoringLaunch(), RegionTiming = RegionTiming())
  /// Nothing is kept of it any more, nor of its launch, its timing and its record.
  case remove(String)
  /// Where the device is with regard to a region that is watched.
  case state(String, RegionState)
  case removeAll
}

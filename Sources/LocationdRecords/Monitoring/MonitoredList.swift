import Geodesy
import LocationPolicy
import LocationStore
import Regions

/// One program's list while the service runs, with the machines that watch for it.
final class MonitoredList {
  let id: MonitoringListID
  let list: MonitoringList
  var monitor: RegionMonitor
  var visits: VisitDetector?
  var significantChange: SignificantChange?
  /// Whether a program waits to be told where it is, as far as that is known, once it may be.
  var awaitsFirstChange = false
  /// Whether its program comes back for what has happened.
  var isHeard = false
  /// Whether the desktop is to show something of it.
  var hasNotices = false
  /// What may be told now.
  var allowed: MonitoringUses = []
  /// Events that were dropped, as was told last.
  var dropped = 0

  init(_ id: MonitoringListID, _ list: MonitoringList, _ monitor: consuming RegionMonitor) {
    (self.id, self.list) = (id, list)
    self.monitor = monitor
  }

  /// What is wanted of it.
  var wanted: MonitoringUses {
    var uses: MonitoringUses = []
    if monitor.count > 0 { uses.insert(hasNotices ? [.regions, .notices] : .regions) }
    if visits != nil { uses.insert(.visits) }
    if significantChange != nil { uses.insert(.significantChanges) }
    return uses
  }

  /// What of that goes on.
  var active: MonitoringUses { wanted.intersection(allowed) }

  /// Whether borders are watched.
  var watchesRegions: Bool { !active.isDisjoint(with: [.regions, .notices]) }

  /// When one of its machines is to be woken.
  var nextDeadline: Instant? {
    [
      // Also while nothing is allowed: then nobody watches them.
      monitor.nextDeadline,
      active.contains(.visits) ? visits?.nextDeadline : nil,
      active.contains(.significantChanges)
        ? significantChange?.nextDeadline : nil,
    ].compactMap(\.self).min()
  }
}

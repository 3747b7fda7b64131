import Geodesy
import LocationPolicy
import LocationStore
import Regions

/// One program's list while the service runs, with the state machines that evaluate fixes for the list.
final class MonitoredList {
  let id: MonitoringListID
  let list: MonitoringList
  var monitor: RegionMonitor
  var visits: VisitDetector?
  var significantChange: SignificantChange?
  /// Whether a program has started to monitor significant changes, and waits until access is allowed. Its first change is
  /// then the current position or, if that is not known, the next fix.
  var awaitsFirstChange = false
  /// Whether the list's program reconnects to receive missed events.
  var isReceived = false
  /// Whether any of the list's events are shown on the desktop.
  var hasNotifications = false
  /// The uses for which access is currently allowed.
  var allowed: MonitoringUses = []

  init(_ id: MonitoringListID, _ list: MonitoringList, _ monitor: consuming RegionMonitor) {
    (self.id, self.list) = (id, list)
    self.monitor = monitor
  }

  /// The uses that the list requests.
  var wanted: MonitoringUses {
    var uses: MonitoringUses = []
    if monitor.count > 0 { uses.insert(hasNotifications ? [.regions, .notifications] : .regions) }
    if visits != nil { uses.insert(.visits) }
    if significantChange != nil { uses.insert(.significantChanges) }
    return uses
  }

  /// The requested uses that are currently allowed.
  var active: MonitoringUses { wanted.intersection(allowed) }

  /// Whether regions are evaluated.
  var watchesRegions: Bool { !active.isDisjoint(with: [.regions, .notifications]) }

  /// The earliest deadline of the list's state machines.
  var nextDeadline: Instant? {
    [
      // Included even while no access is allowed: unwatched regions become unknown at their deadlines.
      monitor.nextDeadline,
      active.contains(.visits) ? visits?.nextDeadline : nil,
      active.contains(.significantChanges)
        ? significantChange?.nextDeadline : nil,
    ].compactMap(\.self).min()
  }
}

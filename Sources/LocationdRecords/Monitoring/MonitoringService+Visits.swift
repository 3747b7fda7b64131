import Geodesy
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// Requests about visits and significant changes.
extension MonitoringService {
  func setVisits(
    _ list: MonitoredList, _ isOn: Bool, _ launch: MonitoringLaunch
  ) throws(MonitoringStoreError) {
    try stored { store throws(DatabaseError) in
      try store.setVisits(list.id, isOn, launch)
      if !isOn { try store.keepProgress(list.id, ProgressKey.stay, nil) }
    }
    if isOn, list.visits == nil {
      var detector = VisitDetector()
      _ = detector.handle(.start(resuming: nil), at: present)
      list.visits = detector
    } else if !isOn {
      list.visits = nil
    }
    noteUser(launch, list)
    try settle(list)
  }

  func setSignificantChanges(
    _ list: MonitoredList, _ isOn: Bool, _ launch: MonitoringLaunch
  ) throws(MonitoringStoreError) {
    try stored { store throws(DatabaseError) in
      try store.setSignificant(list.id, isOn, launch)
      if !isOn { try store.keepProgress(list.id, ProgressKey.moved, nil) }
    }
    noteUser(launch, list)
    if isOn {
      list.significantChange = list.significantChange ?? SignificantChange()
      list.awaitsFirstChange = true
      reportRequestedUses(list)
      // A repeated start means that the program has restarted: it receives the current position (Documentation/Behavior.md,
      // "Significant changes").
      startSignificantChanges(list)
    } else {
      list.significantChange = nil
    }
    try settle(list)
  }

  private func noteUser(_ launch: MonitoringLaunch, _ list: MonitoredList) {
    if !launch.isEmpty { report(.noted(userID: list.list.identity.userID)) }
  }

  /// Deletes visits of the list `name`, or the imported visits of the identity if `name` is `nil`; returns their
  /// number.
  func removeVisits(
    of name: String?, _ identity: ClientIdentity, from: GNSSTime?, to: GNSSTime?
  ) throws(MonitoringStoreError) -> Int {
    guard let name else {
      guard MonitoringStore.exists(in: folder) else { return 0 }
      return try stored { store throws(DatabaseError) in
        try store.removeImportedVisits(of: identity, from: from, to: to)
      }
    }
    guard let list = try known(name, of: identity) else { return 0 }
    let count = try stored { store throws(DatabaseError) in try store.removeVisits(of: list.id, from: from, to: to) }
    // The list may now be empty.
    try settle(list)
    return count
  }
}

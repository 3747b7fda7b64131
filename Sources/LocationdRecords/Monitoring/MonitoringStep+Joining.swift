import LocationStore
import Regions

extension MonitoringStep {
  var isEmpty: Bool {
    events.isEmpty && changes.isEmpty && progress.isEmpty && visits.isEmpty && records.isEmpty
  }

  /// Appends a later step.
  mutating func append(_ step: MonitoringStep) {
    events += step.events
    changes += step.changes
    progress += step.progress
    visits += step.visits
    records += step.records
    dropped.merge(step.dropped, uniquingKeysWith: +)
  }

  /// Keeps the newest events of each list, counts the others as dropped, and keeps only the last of values that are
  /// stored repeatedly.
  mutating func cut(mostEvents: Int) {
    var counts: [MonitoringListID: Int] = [:]
    events = events.reversed().filter { event in
      counts[event.list, default: 0] += 1
      return counts[event.list, default: 0] <= mostEvents
    }.reversed()
    for (list, count) in counts where count > mostEvents { dropped[list, default: 0] += count - mostEvents }
    if changes.count > mostEvents { changes = newest(changes) }
    if progress.count > mostEvents {
      var seen: Set<String> = []
      progress = progress.reversed().filter { seen.insert("\($0.list.rawValue) \($0.key)").inserted }.reversed()
    }
    if visits.count > mostEvents { visits.removeFirst(visits.count - mostEvents) }
    if records.count > 4 * mostEvents { records.removeFirst(records.count - 4 * mostEvents) }
  }

  /// Removes everything that belongs to a removed list.
  mutating func remove(_ list: MonitoringListID) {
    events.removeAll { $0.list == list }
    changes.removeAll { $0.list == list }
    progress.removeAll { $0.list == list }
    visits.removeAll { $0.list == list }
    records.removeAll { $0.list == list }
    dropped[list] = nil
  }

  /// The newest state of each region: steps contain no other changes.
  private func newest(
    _ changes: [(list: MonitoringListID, changes: [MonitoringChange])]
  ) -> [(list: MonitoringListID, changes: [MonitoringChange])] {
    var states: [MonitoringListID: [String: RegionState]] = [:]
    for (list, changes) in changes {
      for case .state(let identifier, let state) in changes { states[list, default: [:]][identifier] = state }
    }
    return states.map { list, states in (list, states.map { .state($0.key, $0.value) }) }
  }
}

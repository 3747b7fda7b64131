import LocationStore
import Regions

extension MonitoringStep {
  var isEmpty: Bool {
    events.isEmpty && changes.isEmpty && progress.isEmpty && visits.isEmpty && records.isEmpty
  }

  /// Takes in what has happened since. Beyond `mostEvents` the oldest go.
  mutating func append(_ step: MonitoringStep, mostEvents: Int) {
    events += step.events
    if events.count > mostEvents { events.removeFirst(events.count - mostEvents) }
    changes += step.changes
    if changes.count > 2 * mostEvents { changes = newest(changes) }
    progress += step.progress
    visits += step.visits
    records += step.records
    // Of each the newest counts.
    if progress.count > 2 * mostEvents { progress.removeFirst(progress.count - mostEvents) }
    if visits.count > mostEvents { visits.removeFirst(visits.count - mostEvents) }
    if records.count > 2 * mostEvents { records.removeFirst(records.count - mostEvents) }
  }

  /// Of each region's states the newest: steps have no other changes.
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

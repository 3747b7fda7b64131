import LinuxIO
import LocationPolicy
import LocationStore
import Regions
import TestSupport

/// Stores the steps of `MonitoredSteps` one after the other from the last stored one on, with a region file now and then, and
/// prints `kept N` when everything before number N is on the disk; until it is killed.
func keepSteps(folder: String) throws {
  var store = try MonitoringStore(stateFolder: folder)
  guard let list = try store.id(of: MonitoredSteps.list, making: true) else { return }
  var step = try store.progress(list, "steps").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  while true {
    var monitored = MonitoringStep()
    monitored.events = [
      NewEvent(
        list: list, subject: .region("\(step)"), body: MonitoredSteps.body(step),
        pendingDeliveries: [.programs, .command])
    ]
    monitored.changes = [(list, try MonitoredSteps.changes(step).map(MonitoringChange.init))]
    monitored.progress = [(list, "steps", Array("\(step + 1)".utf8))]
    _ = try store.record(monitored)
    step += 1
    _ = StandardOutput.write(Array("kept \(step)\n".utf8))
    let pending = try store.pending(of: list, limit: 1000).map(\.id)
    _ = try store.countAttempts(pending, .programs)
    try store.done(pending, .command)
    try store.done(pending.dropLast(MonitoredSteps.pending), .programs)
    guard step % 10 == 0 else { continue }
    // Some snapshots are complete; others are followed by changes before they are adopted.
    let written = try store.planSnapshot(list).write(try store.load(list))
    if step % 20 == 0 {
      try store.change(list, try MonitoredSteps.changes(step - 1).map(MonitoringChange.init))
    }
    _ = try store.adopt(written)
  }
}

extension MonitoringChange {
  init(_ change: MonitoredSteps.Change) {
    switch change {
    case .add(let region, let state): self = .add(region, state)
    case .remove(let identifier): self = .remove(identifier)
    case .state(let identifier, let state): self = .state(identifier, state)
    case .removeAll: self = .removeAll
    }
  }
}

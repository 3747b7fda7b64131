import Geodesy
package import LocationDatabase
import LocationPolicy
import LinuxIO
package import Regions

/// Regions: the snapshot file of a list, and the changes since the file was written.
extension MonitoringStore {
  /// Stores changes of one list, in order, in one transaction.
  package func change(_ list: MonitoringListID, _ changes: [MonitoringChange]) throws(DatabaseError) {
    var step = MonitoringStep()
    step.changes = [(list, changes)]
    _ = try record(step)
  }

  /// Must be called within a transaction. Returns the path of a file that is no longer needed after the transaction, or
  /// `nil`.
  func apply(_ changes: [MonitoringChange], to list: MonitoringListID) throws(DatabaseError) -> String? {
    var file: String?
    var statements = ChangeStatements(
      put: try database.prepare(
        """
        INSERT INTO changes VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET definition = ?3, state = ?4, change = ?5
        """),
      // A removed region has no state.
      setState: try database.prepare(
        """
        INSERT INTO changes VALUES (?1, ?2, NULL, ?3, ?4)
        ON CONFLICT DO UPDATE SET state = ?3, change = ?4 WHERE state IS NOT NULL
        """),
      removeRecord: try database.prepare("DELETE FROM records WHERE list = ? AND identifier = ?"))
    let number = try number(
      "UPDATE lists SET change = change + 1, changed = changed + ? WHERE id = ? RETURNING change",
      [.integer(Int64(changes.count)), list.value])
    let hasLaunches = try self.number(
      "SELECT EXISTS (SELECT 1 FROM launches WHERE list = ? AND kind = 0)", [list.value])
    var mayHaveLaunch = hasLaunches != 0
    var mayHaveTiming = try self.number("SELECT EXISTS (SELECT 1 FROM timings WHERE list = ?)", [list.value]) != 0
    for change in changes {
      switch change {
      case .add(let region, let state, let launch, let timing):
        try statements.put.run([
          list.value, .text(region.identifier), .blob(RegionFile.encode(region, .unknown)),
          .integer(Int64(state.rawValue)), .integer(number),
        ])
        if mayHaveLaunch || !launch.isEmpty { try setLaunch(list, .region(region.identifier), launch) }
        mayHaveLaunch = mayHaveLaunch || !launch.isEmpty
        if mayHaveTiming || !timing.isEmpty { try setTiming(list, region.identifier, timing) }
        mayHaveTiming = mayHaveTiming || !timing.isEmpty
      case .remove(let identifier):
        try statements.put.run([list.value, .text(identifier), .null, .null, .integer(number)])
        try statements.removeRecord.run([list.value, .text(identifier)])
        if mayHaveLaunch { try setLaunch(list, .region(identifier), MonitoringLaunch()) }
        if mayHaveTiming { try setTiming(list, identifier, RegionTiming()) }
      case .state(let identifier, let state):
        try statements.setState.run([
          list.value, .text(identifier), .integer(Int64(state.rawValue)), .integer(number),
        ])
      case .removeAll:
        file = try snapshotPath(of: list) ?? file
        try database.run("DELETE FROM changes WHERE list = ?", [list.value])
        try database.run("DELETE FROM records WHERE list = ?", [list.value])
        try database.run("DELETE FROM launches WHERE list = ? AND kind = 0", [list.value])
        try database.run("DELETE FROM timings WHERE list = ?", [list.value])
        try database.run(
          "UPDATE lists SET generation = NULL, regions = 0, adoptable = planned + 1 WHERE id = ?", [list.value])
        (mayHaveLaunch, mayHaveTiming) = (false, false)
      }
    }
    return file
  }

  /// Loads the regions of a list and their states. A damaged snapshot file is renamed (`setAsideSnapshots`); then only
  /// the changes since it was written remain. Skips malformed rows.
  package mutating func load(_ list: MonitoringListID) throws(DatabaseError) -> RegionMonitor {
    var monitor = try loadSnapshot(of: list) ?? RegionMonitor()
    let now = Instant(nanoseconds: 0)
    var rows = try database.prepare("SELECT identifier, definition, state FROM changes WHERE list = ?")
    try rows.bind([list.value])
    while try rows.step() {
      let identifier = try rows.text(0)
      guard let kept = try rows.optionalInteger(2) else {
        _ = monitor.handle(.remove(identifier), at: now)
        continue
      }
      guard let state = UInt8(exactly: kept).flatMap({ RegionState(rawValue: $0) }) else { continue }
      guard let definition = try rows.optionalBlob(1) else {
        monitor.assume(state, of: identifier)
        continue
      }
      guard let region = (try? RegionFile.decodeOne(definition.span))?.region, region.identifier == identifier else {
        continue
      }
      // Adding a region again without removing it first would keep its state.
      _ = monitor.handle(.remove(identifier), at: now)
      _ = monitor.handle(.add(region, assuming: state), at: now)
    }
    return monitor
  }

  /// The timings of a list's regions, skipping malformed rows.
  package func timings(of list: MonitoringListID) throws(DatabaseError) -> [(identifier: String, timing: RegionTiming)]
  {
    var rows = try database.prepare("SELECT identifier, dwell_s, unknown_after_s FROM timings WHERE list = ?")
    try rows.bind([list.value])
    var timings: [(identifier: String, timing: RegionTiming)] = []
    while try rows.step() {
      let (dwell, unknownAfter) = (try rows.optionalInteger(1), try rows.optionalInteger(2))
      guard
        let timing = RegionTiming(
          dwellSeconds: dwell.map { Int(clamping: $0) }, unknownAfterSeconds: unknownAfter.map { Int(clamping: $0) })
      else { continue }
      timings.append((try rows.text(0), timing))
    }
    return timings
  }

  private func setTiming(
    _ list: MonitoringListID, _ identifier: String, _ timing: RegionTiming
  ) throws(DatabaseError) {
    if timing.isEmpty {
      try database.run("DELETE FROM timings WHERE list = ? AND identifier = ?", [list.value, .text(identifier)])
    } else {
      try database.run(
        "INSERT OR REPLACE INTO timings (list, identifier, dwell_s, unknown_after_s) VALUES (?, ?, ?, ?)",
        [
          list.value, .text(identifier), timing.dwellSeconds.map { .integer(Int64($0)) } ?? .null,
          timing.unknownAfterSeconds.map { .integer(Int64($0)) } ?? .null,
        ])
    }
  }
}

/// The statements that a batch of changes uses repeatedly.
private struct ChangeStatements: ~Copyable {
  var put: Statement
  var setState: Statement
  var removeRecord: Statement

  init(put: consuming Statement, setState: consuming Statement, removeRecord: consuming Statement) {
    self.put = put
    self.setState = setState
    self.removeRecord = removeRecord
  }
}

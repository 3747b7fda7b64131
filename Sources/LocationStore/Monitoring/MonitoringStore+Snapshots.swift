import Geodesy
import LinuxIO
package import LocationDatabase
package import Regions

/// Snapshot files of regions, each of which replaces the previous file and the changes since then.
///
/// The new file is on disk before the database refers to it, and the old file is removed after that: a power failure
/// leaves one of the two intact, with the changes that belong to it.
extension MonitoringStore {
  /// Fewer changes do not justify a new file.
  package static let fewChanges = 10_000

  /// Whether the changes since the list's file was written justify a new one: more than `fewChanges`, and more than a
  /// quarter of the regions in the file.
  package func needsSnapshot(_ list: MonitoringListID) throws(DatabaseError) -> Bool {
    var statement = try database.prepare("SELECT changed, regions FROM lists WHERE id = ?")
    try statement.bind([list.value])
    guard try statement.step() else { return false }
    let most = max(Int64(Self.fewChanges), try statement.integer(1) / 4)
    guard try statement.integer(0) > most else { return false }
    statement.end()
    // The counter includes repeated changes of the same region.
    return try countChanges(list) > most
  }

  /// Writes a snapshot of a monitor, which must have received all changes that were stored for this list.
  package func snapshot(_ list: MonitoringListID, _ monitor: borrowing RegionMonitor) throws(DatabaseError) {
    _ = try adopt(planSnapshot(list).write(monitor))
  }

  /// Plans the next snapshot of a list, which any thread can write; `adopt` makes it the list's snapshot after that.
  package func planSnapshot(_ list: MonitoringListID) throws(DatabaseError) -> SnapshotPlan {
    let text = "UPDATE lists SET planned = planned + 1 WHERE id = ? RETURNING planned, change"
    var statement = try database.prepare(text)
    try statement.bind([list.value])
    guard try statement.step() else { throw .noRow(statement: text) }
    let plan = SnapshotPlan(
      folder: folder, list: list, generation: try statement.integer(0), change: try statement.integer(1))
    _ = try statement.step()
    return plan
  }

  /// Makes a written file its list's snapshot and deletes the changes that it contains. Returns `false`, and deletes
  /// the file, if the list or all of its regions were removed since the snapshot was planned, or if a snapshot that was
  /// planned later was adopted first.
  package func adopt(_ written: WrittenSnapshot) throws(DatabaseError) -> Bool {
    let plan = written.plan
    let old = try snapshotPath(of: plan.list)
    let isAdopted = try database.transaction { () throws(DatabaseError) in
      try database.run(
        "UPDATE lists SET generation = ?1, regions = ?2, adoptable = ?1 + 1 WHERE id = ?3 AND adoptable <= ?1",
        [.integer(plan.generation), .integer(Int64(written.count)), plan.list.value])
      guard database.changes > 0 else { return false }
      try database.run(
        "DELETE FROM changes WHERE list = ? AND change <= ?", [plan.list.value, .integer(plan.change)])
      _ = try countChanges(plan.list)
      return true
    }
    // A file that was already adopted must not be removed.
    if let needless = isAdopted ? old : plan.path, isAdopted || needless != old { StateFile.remove(needless) }
    return isAdopted
  }

  /// Counts the changes and stores the number.
  private func countChanges(_ list: MonitoringListID) throws(DatabaseError) -> Int64 {
    try number(
      """
      UPDATE lists SET changed = (SELECT count(*) FROM changes WHERE list = lists.id) WHERE id = ? RETURNING changed
      """, [list.value])
  }

  /// The path of a list's snapshot; `nil` if there is none.
  func snapshotPath(of list: MonitoringListID) throws(DatabaseError) -> String? {
    var statement = try database.prepare("SELECT generation FROM lists WHERE id = ? AND generation IS NOT NULL")
    try statement.bind([list.value])
    return try statement.step() ? "\(folder)/\(SnapshotPlan.name(list, statement.integer(0)))" : nil
  }

  /// Loads the snapshot; `nil` if there is none, or if it was damaged and has been renamed.
  mutating func loadSnapshot(of list: MonitoringListID) throws(DatabaseError) -> RegionMonitor? {
    guard let path = try snapshotPath(of: list) else { return nil }
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try StateFile.read(path, maximumSize: SnapshotPlan.greatestSize)
    } catch {
      throw .system(error)
    }
    if let bytes, let monitor = try? RegionFile.decode(bytes.span) { return monitor }
    // A missing file was renamed just before a power failure, or removed by another program.
    let name = bytes == nil ? try Database.lastSetAside(path) ?? path : try Database.setAside(path)
    try database.run("UPDATE lists SET generation = NULL, regions = 0 WHERE id = ?", [list.value])
    setAsideSnapshots.append(name)
    return nil
  }
}

/// A planned snapshot of a list's regions. Any thread can write it, so that the store need not wait for that.
package struct SnapshotPlan: Hashable, Sendable {
  /// Maximum size, bytes: ten million circles. This program writes no larger files.
  static let greatestSize = 1 << 30

  let folder: String
  let list: MonitoringListID
  /// Unique among the files of this list.
  let generation: Int64
  /// Number of the last change that the file contains.
  let change: Int64

  /// The path of the file to be written.
  package var path: String { "\(folder)/\(Self.name(list, generation))" }

  /// Writes the monitor's regions, in their state at the time of planning or later; the file is on disk when this
  /// returns.
  package func write(_ monitor: borrowing RegionMonitor) throws(DatabaseError) -> WrittenSnapshot {
    let bytes = RegionFile.encode(monitor)
    guard bytes.count <= Self.greatestSize else {
      throw .value(expected: "regions of at most \(Self.greatestSize) bytes", found: "\(bytes.count) bytes")
    }
    do throws(SystemError) {
      try StateFile.write(path, bytes)
    } catch {
      throw .system(error)
    }
    return WrittenSnapshot(plan: self, count: monitor.count)
  }

  static func name(_ list: MonitoringListID, _ generation: Int64) -> String {
    "regions-\(list.rawValue)-\(generation).regions"
  }

  /// Whether a file's name is that of a snapshot, including incomplete and renamed ones.
  static func isNamed(_ name: String) -> Bool { name.hasPrefix("regions-") && name.holds(".regions") }
}

/// A snapshot that is on disk but not adopted yet.
package struct WrittenSnapshot: Hashable, Sendable {
  let plan: SnapshotPlan
  let count: Int
}

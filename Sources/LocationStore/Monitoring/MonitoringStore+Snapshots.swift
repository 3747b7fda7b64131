import LinuxIO
package import Regions

/// Files of regions, each in place of the one before and of what has changed since.
///
/// The new file is on the disk before the database names it, and the old one is removed after: a power cut leaves one of both whole, and
/// the changes that belong to it.
extension MonitoringStore {
  /// As many changes are fewer than a new file is worth.
  package static let fewChanges = 10_000

  /// Whether so much has changed since the list's file was written that another is worth it: more than `fewChanges`, and than a quarter of
  /// the regions in the file.
  package func needsSnapshot(_ list: MonitoringListID) throws(DatabaseError) -> Bool {
    var statement = try database.prepare("SELECT changed, regions FROM lists WHERE id = ?")
    try statement.bind([list.value])
    guard try statement.step() else { return false }
    let most = max(Int64(Self.fewChanges), try statement.integer(1) / 4)
    guard try statement.integer(0) > most else { return false }
    statement.end()
    // The same regions may have changed again and again.
    return try countChanges(list) > most
  }

  /// Writes a file of what a monitor watches that has been told all that this list's store was told.
  package func snapshot(_ list: MonitoringListID, _ monitor: borrowing RegionMonitor) throws(DatabaseError) {
    _ = try adopt(planSnapshot(list).write(monitor))
  }

  /// What the next file of a list is to be: to be written by whoever has time, and then adopted.
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

  /// Makes a file its list's, whose older changes go; `false`, and nothing, where all regions were removed since it was
  /// planned, or one that was planned later has come before.
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
    // One that was adopted already is not to go.
    if let needless = isAdopted ? old : plan.path, isAdopted || needless != old { StateFile.remove(needless) }
    return isAdopted
  }

  /// Counts them, and notes how many there are.
  private func countChanges(_ list: MonitoringListID) throws(DatabaseError) -> Int64 {
    try number(
      """
      UPDATE lists SET changed = (SELECT count(*) FROM changes WHERE list = lists.id) WHERE id = ? RETURNING changed
      """, [list.value])
  }

  /// The file of a list's regions; `nil`: it has none.
  func snapshotPath(of list: MonitoringListID) throws(DatabaseError) -> String? {
    var statement = try database.prepare("SELECT generation FROM lists WHERE id = ? AND generation IS NOT NULL")
    try statement.bind([list.value])
    return try statement.step() ? "\(folder)/\(SnapshotPlan.name(list, statement.integer(0)))" : nil
  }

  /// What the file holds; `nil`: there is none, or it is damaged, and none any more.
  mutating func loadSnapshot(of list: MonitoringListID) throws(DatabaseError) -> RegionMonitor? {
    guard let path = try snapshotPath(of: list) else { return nil }
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try StateFile.read(path, maximumSize: SnapshotPlan.greatestSize)
    } catch {
      throw .system(error)
    }
    if let bytes, let monitor = try? RegionFile.decode(bytes.span) { return monitor }
    // One that is not there was set aside before the power went, or removed by somebody.
    let name = bytes == nil ? try Database.lastSetAside(path) ?? path : try Database.setAside(path)
    try database.run("UPDATE lists SET generation = NULL, regions = 0 WHERE id = ?", [list.value])
    setAsideSnapshots.append(name)
    return nil
  }
}

/// A file of a list's regions that is to be written, by whatever thread: the store need not wait for it.
package struct SnapshotPlan: Hashable, Sendable {
  /// A greater file is none of ours: ten million circles.
  static let greatestSize = 1 << 30

  let folder: String
  let list: MonitoringListID
  /// Of no other file of this list.
  let generation: Int64
  /// The last that the file has.
  let change: Int64

  /// Where the file is going to be.
  package var path: String { "\(folder)/\(Self.name(list, generation))" }

  /// Writes what a monitor watches, which is as it was when this was planned, or later; on the disk when this returns.
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

  /// Whether a file's name is that of a file of regions, half written or set aside ones included.
  static func isNamed(_ name: String) -> Bool { name.hasPrefix("regions-") && name.contains(".regions") }
}

/// A file of a list's regions that is on the disk, and not yet the list's.
package struct WrittenSnapshot: Hashable, Sendable {
  let plan: SnapshotPlan
  let count: Int
}

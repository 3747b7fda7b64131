import LinuxIO
package import Regions

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

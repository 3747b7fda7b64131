package import Geodesy
package import LocationPolicy
import LinuxIO

/// The logs that are kept by name, in a database of the state folder; their tracks lie beside it, a folder each. Other things
/// that are kept by name get tables of their own here.
package struct LogIndex: ~Copyable {
  /// A statement a version; what has been released is never changed.
  private static let migrations = [
    """
    CREATE TABLE logs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      distance_m REAL, interval_s REAL, radius68_m REAL,
      keeps_suspects INTEGER NOT NULL, keeps_standstill INTEGER NOT NULL,
      keep_days INTEGER, keep_megabytes INTEGER,
      is_running INTEGER NOT NULL,
      changed_ns INTEGER NOT NULL
    ) STRICT
    """
  ]

  /// The file in the state folder; without it there are no logs.
  package static let fileName = "index.sqlite"

  private let state: String
  private let database: Database

  /// Opens the index of a state folder; what is missing is made. Where the file was damaged, it is set aside and a new one
  /// begun; tracks that the index does not know become logs again, stopped.
  package init(stateFolder: String) throws(DatabaseError) {
    let database = try Database.open(settingAside: "\(stateFolder)/\(Self.fileName)", migrations: Self.migrations)
    try Self.adoptTracks(in: stateFolder + "/tracks", database)
    state = stateFolder
    self.database = database
  }

  /// The name that a damaged index was given.
  package var setAside: String? { database.setAside }

  /// Where a log's track is.
  package func folder(of log: KeptLog) -> TrackFolder { TrackFolder("\(state)/tracks/\(log.id)") }

  /// All logs, by name.
  package func logs() throws(DatabaseError) -> [KeptLog] { try Self.logs(database) }

  private static func logs(_ database: borrowing Database) throws(DatabaseError) -> [KeptLog] {
    var statement = try database.prepare("SELECT \(columns) FROM logs ORDER BY name")
    var logs: [KeptLog] = []
    while try statement.step() { logs.append(try log(statement)) }
    return logs
  }

  /// The log of that name.
  package func log(named name: String) throws(DatabaseError) -> KeptLog? {
    var statement = try database.prepare("SELECT \(Self.columns) FROM logs WHERE name = ?")
    try statement.bind([.text(name)])
    return try statement.step() ? try Self.log(statement) : nil
  }

  /// Notes that a log is to be recorded, from now on as `wish` says; it is made where there is none of that name.
  package func start(_ name: String, _ wish: LogWish, at now: GNSSTime) throws(DatabaseError) -> KeptLog {
    try Self.check(name)
    let (days, megabytes): (Int64?, Int64?) =
      switch wish.retention {
      case .days(let days): (Int64(days), nil)
      case .megabytes(let megabytes): (nil, Int64(megabytes))
      case nil: (nil, nil)
      }
    try database.run(
      """
      INSERT INTO logs (name, distance_m, interval_s, radius68_m, keeps_suspects, keeps_standstill, keep_days,
        keep_megabytes, is_running, changed_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9)
      ON CONFLICT (name) DO UPDATE SET distance_m = ?2, interval_s = ?3, radius68_m = ?4, keeps_suspects = ?5,
        keeps_standstill = ?6, keep_days = ?7, keep_megabytes = ?8, is_running = 1, changed_ns = ?9
      """,
      [
        .text(name), DatabaseValue(wish.distanceFilter?.value), DatabaseValue(wish.interval?.inSeconds),
        DatabaseValue(wish.desiredRadius68?.value), .integer(wish.keepsSuspects ? 1 : 0),
        .integer(wish.keepsStandstill ? 1 : 0), DatabaseValue(days), DatabaseValue(megabytes),
        .integer(now.nanosecondsSince1970),
      ])
    guard let log = try log(named: name) else { throw .noRow(statement: "INSERT INTO logs") }
    return log
  }

  /// Notes that a log is not recorded any more; `false` where there is none of that name.
  package func stop(_ name: String, at now: GNSSTime) throws(DatabaseError) -> Bool {
    try database.run(
      "UPDATE logs SET is_running = 0, changed_ns = ?2 WHERE name = ?1",
      [.text(name), .integer(now.nanosecondsSince1970)])
    return database.changes > 0
  }

  /// Removes a log and its track.
  package func remove(_ log: KeptLog) throws(DatabaseError) {
    // The track first: what is left half removed by a power cut is still a log, and can be removed again.
    let folder = folder(of: log)
    do throws(SystemError) {
      for segment in try folder.segments() { try FileChange.remove(folder.path(of: segment.sequence)) }
    } catch {
      throw .system(error)
    }
    try database.run("DELETE FROM logs WHERE id = ?", [.integer(log.id)])
  }

  // MARK: Rows

  private static let columns =
    "id, name, distance_m, interval_s, radius68_m, keeps_suspects, keeps_standstill, keep_days, keep_megabytes, "
    + "is_running, changed_ns"

  private static func log(_ row: borrowing Statement) throws(DatabaseError) -> KeptLog {
    var wish = LogWish()
    wish.distanceFilter = try row.optionalReal(2).map { Meters($0) }
    wish.interval = try row.optionalReal(3).map { .milliseconds(Int64(min(max($0, 0), 1e9) * 1000)) }
    wish.desiredRadius68 = try row.optionalReal(4).map { Meters($0) }
    wish.keepsSuspects = try row.integer(5) != 0
    wish.keepsStandstill = try row.integer(6) != 0
    if let days = try row.optionalInteger(7) {
      wish.retention = .days(Int(clamping: days))
    } else if let megabytes = try row.optionalInteger(8) {
      wish.retention = .megabytes(Int(clamping: megabytes))
    }
    // What somebody else wrote there must not keep or remove everything.
    if let retention = wish.retention, !retention.isAllowed { wish.retention = nil }
    return KeptLog(
      id: try row.integer(0), name: try row.text(1), wish: wish, isRunning: try row.integer(9) != 0,
      changedAt: GNSSTime(nanosecondsSince1970: try row.integer(10)))
  }

  private static func check(_ name: String) throws(DatabaseError) {
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (1...SegmentHeader.maximumNameLength).contains(name.utf8.count), isPlain else {
      throw .value(expected: "a name of 1 to \(SegmentHeader.maximumNameLength) bytes on one line", found: name)
    }
  }

  /// Makes logs again of tracks that the index does not know, by the names in their headers.
  private static func adoptTracks(in tracks: String, _ database: borrowing Database) throws(DatabaseError) {
    // No folder, no tracks.
    guard let names = try? PrivateFolder.folders(in: tracks) else { return }
    var known = try logs(database)
    for id in names.compactMap({ Int64($0) }).sorted() where id > 0 && !known.contains(where: { $0.id == id }) {
      let folder = TrackFolder("\(tracks)/\(id)")
      guard let segments = try? folder.segments(), let newest = segments.last else { continue }
      let header = folder.header(of: newest.sequence)
      var name = header?.log ?? ""
      if (try? check(name)) == nil || known.contains(where: { $0.name == name }) { name = "recovered-\(id)" }
      try database.run(
        """
        INSERT INTO logs (id, name, keeps_suspects, keeps_standstill, is_running, changed_ns)
        VALUES (?, ?, 0, 0, 0, ?)
        """,
        [.integer(id), .text(name), .integer(header?.time.nanosecondsSince1970 ?? 0)])
      known = try logs(database)
    }
  }
}

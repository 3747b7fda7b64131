package import Geodesy
import LinuxIO
package import LocationDatabase
package import LocationPolicy

/// The named logs, in a database of the state folder; their tracks are beside it, each in its own folder.
package struct LogIndex: ~Copyable {
  /// One migration per version; those of released versions never change.
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
    """,
    "ALTER TABLE logs ADD COLUMN seal TEXT",
    "ALTER TABLE logs ADD COLUMN owner INTEGER",
    """
    ALTER TABLE logs ADD COLUMN realm TEXT NOT NULL DEFAULT '';
    ALTER TABLE logs ADD COLUMN is_entitled INTEGER NOT NULL DEFAULT 0
    """,
  ]

  /// Name of the file in the state folder. If there is neither this file nor a track, there have never been logs.
  package static let fileName = "index.sqlite"

  private let state: String
  private let database: Database
  /// Logs that were recovered from the files in their folders: the index lacked them, or listed them as stopped.
  package let adopted: [IndexedLog]

  /// Opens the index of a state folder, creating what is missing. A damaged index is renamed and a new one is created.
  /// Tracks that are not in the index become logs again, and recording resumes where it was active.
  package init(stateFolder: String) throws(DatabaseError) {
    let database = try Database.open(settingAside: "\(stateFolder)/\(Self.fileName)", migrations: Self.migrations)
    adopted = try Self.adoptTracks(in: stateFolder + "/tracks", database)
    state = stateFolder
    self.database = database
  }

  /// Opens, for reading, an index that cannot be written.
  package init(reading stateFolder: String) throws(DatabaseError) {
    database = try Database(reading: "\(stateFolder)/\(Self.fileName)", version: Self.migrations.count)
    adopted = []
    state = stateFolder
  }

  /// The new name of a damaged index; `nil` if no index was damaged.
  package var setAside: String? { database.setAside }

  /// The folder of a log's track.
  package func folder(of log: IndexedLog) -> TrackFolder { TrackFolder("\(state)/tracks/\(log.id)") }

  /// All logs, sorted by name.
  package func logs() throws(DatabaseError) -> [IndexedLog] { try Self.logs(database) }

  static func logs(_ database: borrowing Database) throws(DatabaseError) -> [IndexedLog] {
    var statement = try database.prepare("SELECT \(columns) FROM logs ORDER BY name")
    var logs: [IndexedLog] = []
    while try statement.step() { logs.append(try log(statement)) }
    return logs
  }

  /// The log of that name; `nil` if there is none.
  package func log(named name: String) throws(DatabaseError) -> IndexedLog? {
    var statement = try database.prepare("SELECT \(Self.columns) FROM logs WHERE name = ?")
    try statement.bind([.text(name)])
    return try statement.step() ? try Self.log(statement) : nil
  }

  /// Marks a log as recording with `configuration`; creates it if there is no log of that name.
  package func start(_ name: String, _ configuration: LogConfiguration, at now: GNSSTime) throws(DatabaseError)
    -> IndexedLog
  {
    try Self.check(name)
    return try database.transaction { () throws(DatabaseError) in
      try Self.keep(name, configuration, at: now, database)
      guard let log = try log(named: name) else { throw .noRow(statement: "INSERT INTO logs") }
      do throws(SystemError) {
        try LogManifest(name: name, configuration: configuration).write(in: folder(of: log))
      } catch {
        throw .system(error)
      }
      return log
    }
  }

  /// The log of that name; if there is none, creates one that is not recorded, for imported fixes.
  package func make(_ name: String, _ configuration: LogConfiguration, at now: GNSSTime) throws(DatabaseError)
    -> IndexedLog
  {
    try Self.check(name)
    return try database.transaction { () throws(DatabaseError) in
      if let log = try log(named: name) { return log }
      try Self.keep(name, configuration, isRunning: false, at: now, database)
      guard let log = try log(named: name) else { throw .noRow(statement: "INSERT INTO logs") }
      return log
    }
  }

  /// Stores a log as recording, or stopped, with `configuration`; a new log gets the number `id` if one is given.
  static func keep(
    _ name: String, _ configuration: LogConfiguration, id: Int64? = nil, isRunning: Bool = true, at now: GNSSTime,
    _ database: borrowing Database
  ) throws(DatabaseError) {
    let (days, megabytes): (Int64?, Int64?) =
      switch configuration.options.retention {
      case .days(let days): (Int64(days), nil)
      case .megabytes(let megabytes): (nil, Int64(megabytes))
      case nil: (nil, nil)
      }
    try database.run(
      """
      INSERT INTO logs (name, distance_m, interval_s, radius68_m, keeps_suspects, keeps_standstill, keep_days,
        keep_megabytes, is_running, changed_ns, id, seal, owner, realm, is_entitled)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?10, ?9, ?11, ?12, ?13, ?14, ?15)
      ON CONFLICT (name) DO UPDATE SET distance_m = ?2, interval_s = ?3, radius68_m = ?4, keeps_suspects = ?5,
        keeps_standstill = ?6, keep_days = ?7, keep_megabytes = ?8, is_running = ?10, changed_ns = ?9,
        seal = ?12, owner = ?13, realm = ?14, is_entitled = ?15
      """,
      [
        .text(name), DatabaseValue(configuration.options.distanceFilter?.value),
        DatabaseValue(configuration.options.interval?.inSeconds),
        DatabaseValue(configuration.options.desiredRadius68?.value),
        .integer(configuration.options.keepsSuspects ? 1 : 0),
        .integer(configuration.options.keepsStandstill ? 1 : 0), DatabaseValue(days), DatabaseValue(megabytes),
        .integer(now.nanosecondsSince1970), .integer(isRunning ? 1 : 0), DatabaseValue(id),
        configuration.publicKey.map { .text($0.text) } ?? .null,
        DatabaseValue(configuration.owner.map { Int64($0.identity.userID) }),
        .text(configuration.owner?.identity.realm.text ?? ""),
        .integer(configuration.owner?.isEntitled ?? false ? 1 : 0),
      ])
  }

  /// Marks a log as stopped; returns `false` if there is no log of that name.
  package func stop(_ name: String, at now: GNSSTime) throws(DatabaseError) -> Bool {
    guard let log = try log(named: name) else { return false }
    // The manifest is removed first: after a power failure, a log that was reported as stopped must not resume.
    try removeNote(of: log)
    try database.run(
      "UPDATE logs SET is_running = 0, changed_ns = ?2 WHERE name = ?1",
      [.text(name), .integer(now.nanosecondsSince1970)])
    return database.changes > 0
  }

  /// Gives a log another name; returns `false` if another log has that name.
  package func rename(_ log: IndexedLog, to name: String) throws(DatabaseError) -> Bool {
    try Self.check(name)
    return try database.transaction { () throws(DatabaseError) in
      guard try self.log(named: name) == nil else { return false }
      try database.run("UPDATE logs SET name = ?2 WHERE id = ?1", [.integer(log.id), .text(name)])
      do throws(SystemError) {
        // Each of these files preserves the name in case the index is lost.
        let folder = folder(of: log)
        if log.isRunning { try LogManifest(name: name, configuration: log.configuration).write(in: folder) }
        try LogNameFile.write(name, in: folder)
      } catch {
        throw .system(error)
      }
      return true
    }
  }

  /// Deletes a log and its track.
  package func remove(_ log: IndexedLog) throws(DatabaseError) {
    // The track is deleted first: after a power failure a partly deleted log is still listed, and can be deleted again.
    try removeNote(of: log)
    let folder = folder(of: log)
    do throws(SystemError) {
      for segment in try folder.segments() { try FileChange.remove(folder.path(of: segment.sequence)) }
      try NoteFile(folder).remove()
      try LogNameFile.remove(in: folder)
      try ImportedFolder(of: folder).removeAll()
    } catch {
      throw .system(error)
    }
    try database.run("DELETE FROM logs WHERE id = ?", [.integer(log.id)])
  }

  private func removeNote(of log: IndexedLog) throws(DatabaseError) {
    do throws(SystemError) {
      try LogManifest.remove(in: folder(of: log))
    } catch {
      throw .system(error)
    }
  }

  // MARK: Rows

  private static let columns =
    "id, name, distance_m, interval_s, radius68_m, keeps_suspects, keeps_standstill, keep_days, keep_megabytes, "
    + "is_running, changed_ns, seal, owner, realm, is_entitled"

  private static func log(_ row: borrowing Statement) throws(DatabaseError) -> IndexedLog {
    var configuration = LogConfiguration()
    configuration.options.distanceFilter = try row.optionalReal(2).map { Meters($0) }
    configuration.options.interval = try row.optionalReal(3).map { .milliseconds(Int64(min(max($0, 0), 1e9) * 1000)) }
    configuration.options.desiredRadius68 = try row.optionalReal(4).map { Meters($0) }
    configuration.options.keepsSuspects = try row.integer(5) != 0
    configuration.options.keepsStandstill = try row.integer(6) != 0
    if let days = try row.optionalInteger(7) {
      configuration.options.retention = .days(Int(clamping: days))
    } else if let megabytes = try row.optionalInteger(8) {
      configuration.options.retention = .megabytes(Int(clamping: megabytes))
    }
    if let text = try row.optionalText(11) {
      // An encrypted log must never be treated as an unencrypted one.
      guard let seal = try? LogPublicKey(text) else { throw .column(11, expected: .text, found: .text) }
      configuration.publicKey = seal
    }
    if let user = try row.optionalInteger(12).flatMap({ UInt32(exactly: $0) }) {
      // A sandboxed program's log must not become its user's.
      guard let realm = ClientIdentity.Realm(parsing: try row.text(13)) else {
        throw .column(13, expected: .text, found: .text)
      }
      configuration.owner = LogOwner(ClientIdentity(userID: user, realm: realm), isEntitled: try row.integer(14) != 0)
    }
    // A value that another program wrote must not cause everything to be kept or deleted.
    if let retention = configuration.options.retention, !retention.isAllowed { configuration.options.retention = nil }
    return IndexedLog(
      id: try row.integer(0), name: try row.text(1), configuration: configuration, isRunning: try row.integer(9) != 0,
      changedAt: GNSSTime(nanosecondsSince1970: try row.integer(10)))
  }

  static func check(_ name: String) throws(DatabaseError) {
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (1...SegmentHeader.maximumNameLength).contains(name.utf8.count), isPlain else {
      throw .value(expected: "a name of 1 to \(SegmentHeader.maximumNameLength) bytes on one line", found: name)
    }
  }
}

/// Recovery of tracks that are not in the index.
extension LogIndex {
  /// This program assigns no larger numbers, and AUTOINCREMENT fails after the greatest integer.
  private static let greatestNumber: Int64 = 1 << 40

  /// Recreates the logs of tracks that are not in the index, from their manifests, or else from their name files
  /// (`LogNameFile`) or headers. Also resumes logs that the index lists as stopped although they have a manifest, which
  /// happens when the index has lost its last changes.
  static func adoptTracks(in tracks: String, _ database: borrowing Database) throws(DatabaseError) -> [IndexedLog] {
    // Without the folder there are no tracks.
    guard let names = try? PrivateFolder.folders(in: tracks) else { return [] }
    let numbers = names.compactMap { name in
      Int64(name).flatMap { (1...greatestNumber).contains($0) && String($0) == name ? $0 : nil }
    }.sorted()
    let known = try logs(database)
    guard numbers.contains(where: { orphan($0, in: tracks, known: known) != nil }) else { return [] }
    // Checked again within the transaction: another process may have started or stopped a log in the meantime.
    return try database.transaction { () throws(DatabaseError) in
      var adopted: [IndexedLog] = []
      for id in numbers {
        let known = try logs(database)
        guard let orphan = orphan(id, in: tracks, known: known) else { continue }
        let name = known.first { $0.id == id }?.name ?? freeName(orphan.name, id, known)
        try keep(
          name, orphan.configuration, id: id, isRunning: orphan.note != nil,
          at: GNSSTime(nanosecondsSince1970: orphan.changedAt), database)
        if let log = try logs(database).first(where: { $0.id == id }) { adopted.append(log) }
      }
      return adopted
    }
  }

  /// A folder with a track that is not in the index, or that is listed as stopped although it was being recorded.
  private struct OrphanedLog {
    var name: String
    var note: LogManifest?
    var configuration: LogConfiguration
    var changedAt: Int64
  }

  private static func orphan(_ id: Int64, in tracks: String, known: [IndexedLog]) -> OrphanedLog? {
    let folder = TrackFolder("\(tracks)/\(id)")
    let log = known.first { $0.id == id }
    if log?.isRunning ?? false { return nil }
    let note = LogManifest(in: folder)
    if log != nil, note == nil { return nil }
    let newest = (try? folder.segments())?.last
    let imports = ImportedFolder(of: folder)
    let imported = (try? imports.days())?.last
    guard newest != nil || imported != nil || note != nil else { return nil }
    let header = newest.flatMap { folder.header(of: $0.sequence) } ?? imported.flatMap { imports.header(of: $0.date) }
    var configuration = note?.configuration ?? LogConfiguration()
    // An encrypted log stays encrypted.
    configuration.publicKey = configuration.publicKey ?? header?.encryption?.owner
    return OrphanedLog(
      name: note?.name ?? LogNameFile.name(in: folder) ?? header?.log ?? "", note: note, configuration: configuration,
      changedAt: header?.time.nanosecondsSince1970 ?? 0)
  }

  /// The name if it is valid and unused, otherwise a name made from the log's number.
  private static func freeName(_ name: String, _ id: Int64, _ known: [IndexedLog]) -> String {
    func isTaken(_ name: String) -> Bool { known.contains { $0.name == name } }
    if (try? check(name)) != nil, !isTaken(name) { return name }
    var (free, number) = ("recovered-\(id)", 1)
    while isTaken(free) {
      number += 1
      free = "recovered-\(id)-\(number)"
    }
    return free
  }
}

/// A log in the index.
package struct IndexedLog: Hashable, Sendable {
  /// Never reused, not even after the log was deleted.
  package let id: Int64
  /// The name chosen by its owner, 1…64 bytes.
  package let name: String
  package var configuration: LogConfiguration
  /// Whether the log is being recorded; recording resumes after a reboot.
  package var isRunning: Bool
  /// When the log was last started or stopped, or was created for an import, by the wall clock at that time. For a
  /// recovered log, the time in the header of its newest segment, or else 1970.
  package var changedAt: GNSSTime
}

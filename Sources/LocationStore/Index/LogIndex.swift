package import Geodesy
import LinuxIO
package import LocationPolicy

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
    """,
    "ALTER TABLE logs ADD COLUMN seal TEXT",
    "ALTER TABLE logs ADD COLUMN owner INTEGER",
    """
    ALTER TABLE logs ADD COLUMN realm TEXT NOT NULL DEFAULT '';
    ALTER TABLE logs ADD COLUMN is_entitled INTEGER NOT NULL DEFAULT 0
    """,
  ]

  /// The file in the state folder; without it there are no logs.
  package static let fileName = "index.sqlite"

  private let state: String
  private let database: Database
  /// Logs that the index did not know, or knew as stopped, and that were found again by what lies in their folders.
  package let adopted: [KeptLog]

  /// Opens the index of a state folder; what is missing is made. Where the file was damaged, it is set aside and a new one
  /// begun; tracks that the index does not know become logs again, which are to be recorded where they were.
  package init(stateFolder: String) throws(DatabaseError) {
    let database = try Database.open(settingAside: "\(stateFolder)/\(Self.fileName)", migrations: Self.migrations)
    adopted = try Self.adoptTracks(in: stateFolder + "/tracks", database)
    state = stateFolder
    self.database = database
  }

  /// Opens an index that cannot be written, to read what it lists.
  package init(reading stateFolder: String) throws(DatabaseError) {
    database = try Database(reading: "\(stateFolder)/\(Self.fileName)", version: Self.migrations.count)
    adopted = []
    state = stateFolder
  }

  /// The name that a damaged index was given.
  package var setAside: String? { database.setAside }

  /// Where a log's track is.
  package func folder(of log: KeptLog) -> TrackFolder { TrackFolder("\(state)/tracks/\(log.id)") }

  /// All logs, by name.
  package func logs() throws(DatabaseError) -> [KeptLog] { try Self.logs(database) }

  static func logs(_ database: borrowing Database) throws(DatabaseError) -> [KeptLog] {
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
    return try database.transaction { () throws(DatabaseError) in
      try Self.keep(name, wish, at: now, database)
      guard let log = try log(named: name) else { throw .noRow(statement: "INSERT INTO logs") }
      do throws(SystemError) {
        try LogNote(name: name, wish: wish).write(in: folder(of: log))
      } catch {
        throw .system(error)
      }
      return log
    }
  }

  /// Notes that a log is to be recorded as `wish` says; under the number `id` where it is new and that is given.
  static func keep(
    _ name: String, _ wish: LogWish, id: Int64? = nil, isRunning: Bool = true, at now: GNSSTime,
    _ database: borrowing Database
  ) throws(DatabaseError) {
    let (days, megabytes): (Int64?, Int64?) =
      switch wish.retention {
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
        .text(name), DatabaseValue(wish.distanceFilter?.value), DatabaseValue(wish.interval?.inSeconds),
        DatabaseValue(wish.desiredRadius68?.value), .integer(wish.keepsSuspects ? 1 : 0),
        .integer(wish.keepsStandstill ? 1 : 0), DatabaseValue(days), DatabaseValue(megabytes),
        .integer(now.nanosecondsSince1970), .integer(isRunning ? 1 : 0), DatabaseValue(id),
        wish.seal.map { .text($0.text) } ?? .null, DatabaseValue(wish.owner.map { Int64($0.identity.userID) }),
        .text(wish.owner?.identity.realm.text ?? ""), .integer(wish.owner?.isEntitled ?? false ? 1 : 0),
      ])
  }

  /// Notes that a log is not recorded any more; `false` where there is none of that name.
  package func stop(_ name: String, at now: GNSSTime) throws(DatabaseError) -> Bool {
    guard let log = try log(named: name) else { return false }
    // The note first: what a power cut leaves must not begin again by itself what somebody was told is stopped.
    try removeNote(of: log)
    try database.run(
      "UPDATE logs SET is_running = 0, changed_ns = ?2 WHERE name = ?1",
      [.text(name), .integer(now.nanosecondsSince1970)])
    return database.changes > 0
  }

  /// Removes a log and its track.
  package func remove(_ log: KeptLog) throws(DatabaseError) {
    // The track first: what is left half removed by a power cut is still a log, and can be removed again.
    try removeNote(of: log)
    let folder = folder(of: log)
    do throws(SystemError) {
      for segment in try folder.segments() { try FileChange.remove(folder.path(of: segment.sequence)) }
    } catch {
      throw .system(error)
    }
    try database.run("DELETE FROM logs WHERE id = ?", [.integer(log.id)])
  }

  private func removeNote(of log: KeptLog) throws(DatabaseError) {
    do throws(SystemError) {
      try LogNote.remove(in: folder(of: log))
    } catch {
      throw .system(error)
    }
  }

  // MARK: Rows

  private static let columns =
    "id, name, distance_m, interval_s, radius68_m, keeps_suspects, keeps_standstill, keep_days, keep_megabytes, "
    + "is_running, changed_ns, seal, owner, realm, is_entitled"

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
    if let text = try row.optionalText(11) {
      // A log that was sealed is never taken for one that is open.
      guard let seal = try? SealKey(text) else { throw .column(11, expected: .text, found: .text) }
      wish.seal = seal
    }
    if let user = try row.optionalInteger(12).flatMap({ UInt32(exactly: $0) }) {
      // Nor becomes one of a confined program its user's.
      guard let realm = ClientIdentity.Realm(parsing: try row.text(13)) else {
        throw .column(13, expected: .text, found: .text)
      }
      wish.owner = LogOwner(ClientIdentity(userID: user, realm: realm), isEntitled: try row.integer(14) != 0)
    }
    // What somebody else wrote there must not keep or remove everything.
    if let retention = wish.retention, !retention.isAllowed { wish.retention = nil }
    return KeptLog(
      id: try row.integer(0), name: try row.text(1), wish: wish, isRunning: try row.integer(9) != 0,
      changedAt: GNSSTime(nanosecondsSince1970: try row.integer(10)))
  }

  static func check(_ name: String) throws(DatabaseError) {
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (1...SegmentHeader.maximumNameLength).contains(name.utf8.count), isPlain else {
      throw .value(expected: "a name of 1 to \(SegmentHeader.maximumNameLength) bytes on one line", found: name)
    }
  }
}

/// Tracks that the index does not know.
extension LogIndex {
  /// Numbers beyond it are none that we have given, and the next one after the greatest of all could not be (AUTOINCREMENT).
  private static let greatestNumber: Int64 = 1 << 40

  /// Makes logs again of tracks that the index does not know, by their notes or else by the names in their headers; and has
  /// those recorded again that the index knows as stopped against their notes, as one that has lost its last changes does.
  static func adoptTracks(in tracks: String, _ database: borrowing Database) throws(DatabaseError) -> [KeptLog] {
    // No folder, no tracks.
    guard let names = try? PrivateFolder.folders(in: tracks) else { return [] }
    let numbers = names.compactMap { name in
      Int64(name).flatMap { (1...greatestNumber).contains($0) && String($0) == name ? $0 : nil }
    }.sorted()
    let known = try logs(database)
    guard numbers.contains(where: { stray($0, in: tracks, known: known) != nil }) else { return [] }
    // Once more when nobody else can change it: another process may have begun or stopped a log meanwhile.
    return try database.transaction { () throws(DatabaseError) in
      var adopted: [KeptLog] = []
      for id in numbers {
        let known = try logs(database)
        guard let stray = stray(id, in: tracks, known: known) else { continue }
        let name = known.first { $0.id == id }?.name ?? freeName(stray.name, id, known)
        try keep(
          name, stray.wish, id: id, isRunning: stray.note != nil,
          at: GNSSTime(nanosecondsSince1970: stray.changedAt), database)
        if let log = try logs(database).first(where: { $0.id == id }) { adopted.append(log) }
      }
      return adopted
    }
  }

  /// A folder with a track that the index does not know, or does not know to be recorded.
  private struct Stray {
    var name: String
    var note: LogNote?
    var wish: LogWish
    var changedAt: Int64
  }

  private static func stray(_ id: Int64, in tracks: String, known: [KeptLog]) -> Stray? {
    let folder = TrackFolder("\(tracks)/\(id)")
    let log = known.first { $0.id == id }
    if log?.isRunning ?? false { return nil }
    let note = LogNote(in: folder)
    if log != nil, note == nil { return nil }
    let newest = (try? folder.segments())?.last
    guard newest != nil || note != nil else { return nil }
    let header = newest.flatMap { folder.header(of: $0.sequence) }
    var wish = note?.wish ?? LogWish()
    // What was sealed stays so.
    wish.seal = wish.seal ?? header?.seal?.owner
    return Stray(
      name: note?.name ?? header?.log ?? "", note: note, wish: wish, changedAt: header?.time.nanosecondsSince1970 ?? 0)
  }

  /// The name where it is one that nobody has, else one made of the number.
  private static func freeName(_ name: String, _ id: Int64, _ known: [KeptLog]) -> String {
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

/// A log as the index keeps it.
package struct KeptLog: Hashable, Sendable {
  /// Never given to another log, also when this one is gone.
  package let id: Int64
  /// What its owner calls it, 1…64 bytes.
  package let name: String
  package var wish: LogWish
  /// Whether it is to be recorded: also after the machine has been started anew.
  package var isRunning: Bool
  /// When it was started or stopped last, by the machine's clock of then.
  package var changedAt: GNSSTime
}

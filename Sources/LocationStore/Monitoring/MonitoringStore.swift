import Geodesy
import LinuxIO
package import LocationDatabase
package import LocationPolicy

/// The monitoring of programs that start and exit, and their undelivered events, in a database of its own in the state
/// folder, with a snapshot file of regions for each list that has many.
///
/// The changes of each call are on disk when it returns, in one transaction. The regions are those of the snapshot file
/// with the changes in the database applied: a million regions load quickly, and changing one of them is cheap.
package struct MonitoringStore: ~Copyable {
  /// Statements that migrate each version to the next; statements of released versions never change.
  ///
  /// Columns of `lists`: `generation` is the generation of the snapshot file, NULL if there is none, and `regions` its
  /// number of regions; `planned` is the generation of the last planned file, `adoptable` the first that may still be
  /// adopted. `change` is the number of the last change; `changed` is at least the number of rows in `changes`. A row
  /// of `changes` without a definition is a region of the file with another state; a row without a state either is a
  /// removed region. Kinds of subjects: 0 a region, 1 visits, 2 significant changes. `settled` has a row once the files
  /// found at the first opening have been handled.
  private static let migrations = [
    """
    CREATE TABLE lists (
      id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, realm TEXT NOT NULL, name TEXT NOT NULL,
      wants_visits INTEGER NOT NULL DEFAULT 0, wants_significant INTEGER NOT NULL DEFAULT 0,
      generation INTEGER, regions INTEGER NOT NULL DEFAULT 0, planned INTEGER NOT NULL DEFAULT 0,
      adoptable INTEGER NOT NULL DEFAULT 0, change INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      UNIQUE (user_id, realm, name)
    ) STRICT;
    CREATE TABLE changes (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, identifier TEXT NOT NULL,
      definition BLOB, state INTEGER, change INTEGER NOT NULL,
      PRIMARY KEY (list, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE launches (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, kind INTEGER NOT NULL, identifier TEXT NOT NULL,
      on_entry TEXT, on_exit TEXT, is_shown INTEGER NOT NULL,
      PRIMARY KEY (list, kind, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, identifier TEXT NOT NULL,
      state INTEGER NOT NULL, time_ns INTEGER,
      PRIMARY KEY (list, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE progress (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, key TEXT NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (list, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT, list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
      kind INTEGER NOT NULL, identifier TEXT NOT NULL, body BLOB NOT NULL, owed INTEGER NOT NULL,
      attempts_programs INTEGER NOT NULL DEFAULT 0, attempts_command INTEGER NOT NULL DEFAULT 0,
      attempts_notification INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX events_by_list ON events (list);
    CREATE TABLE visits (
      number INTEGER PRIMARY KEY AUTOINCREMENT, list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
      latitude REAL NOT NULL, longitude REAL NOT NULL, radius68_m REAL NOT NULL, arrival_ns INTEGER, departure_ns INTEGER
    ) STRICT;
    CREATE INDEX visits_by_list ON visits (list);
    CREATE TABLE settled (only INTEGER PRIMARY KEY CHECK (only = 0)) STRICT
    """,
    """
    ALTER TABLE launches ADD COLUMN on_unknown TEXT;
    CREATE TABLE timings (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, identifier TEXT NOT NULL,
      dwell_s INTEGER, unknown_after_s INTEGER,
      PRIMARY KEY (list, identifier)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE imported_visits (
      number INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, realm TEXT NOT NULL,
      latitude REAL NOT NULL, longitude REAL NOT NULL, radius68_m REAL, arrival_ns INTEGER NOT NULL, departure_ns INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX imported_visits_by_time ON imported_visits (user_id, realm, arrival_ns)
    """,
  ]

  /// Name of the file in the state folder.
  package static let fileName = "monitoring.sqlite"
  /// Maximum number of lists of all identities.
  package static let mostLists = 256
  /// Maximum number of lists of one identity.
  package static let mostListsOfIdentity = 64
  /// Maximum number of a list's undelivered events; beyond it the oldest are dropped.
  package static let mostPending = 1000
  /// Maximum number of a list's visits; the newest are kept.
  package static let mostVisits = 10_000
  /// Maximum number of imported visits of one identity.
  package static let mostImportedVisits = 100_000

  let folder: String
  let database: Database
  /// The new names of snapshot files that were found damaged since the store was opened.
  package internal(set) var setAsideSnapshots: [String]

  /// Opens the store of a state folder, creating it if necessary. A damaged database is renamed, with its snapshot
  /// files, and a new one is created.
  package init(stateFolder: String) throws(DatabaseError) {
    let database = try Database.open(
      settingAside: "\(stateFolder)/\(Self.fileName)", migrations: Self.migrations)
    // A large change makes the write-ahead log long; the next change truncates it to this size, 4 MiB.
    try database.run("PRAGMA journal_size_limit = 4194304")
    try Self.tidy(stateFolder, database)
    // Assigned last: if an error is thrown, Swift 6.2.3 destroys the properties of an incomplete noncopyable value
    // twice.
    folder = stateFolder
    self.database = database
    setAsideSnapshots = []
  }

  /// Opens, for reading, a store that cannot be written.
  package init(reading stateFolder: String) throws(DatabaseError) {
    database = try Database(reading: "\(stateFolder)/\(Self.fileName)", version: Self.migrations.count)
    folder = stateFolder
    setAsideSnapshots = []
  }

  /// Whether a state folder contains the store. Also `true` if it contains something else of that name or cannot be
  /// read: opening the store reports that.
  package static func exists(in stateFolder: String) -> Bool {
    do throws(SystemError) {
      return try PrivateFolder.entry("\(stateFolder)/\(fileName)") != .nothing
    } catch {
      return true
    }
  }

  /// The new name of a damaged database; `nil` if no database was damaged.
  package var setAside: String? { database.setAside }

  /// Deletes renamed damaged files, because they may contain data that has to be deleted.
  package static func removeSetAside(in stateFolder: String) throws(DatabaseError) {
    do throws(SystemError) {
      for file in try PrivateFolder.files(in: stateFolder)
      where file.name.holds(".damaged-") && (file.name.hasPrefix(fileName) || SnapshotPlan.isNamed(file.name)) {
        try FileChange.remove("\(stateFolder)/\(file.name)")
      }
    } catch {
      throw .system(error)
    }
  }

  /// Cleans up after a power failure: deletes empty lists and snapshot files that belong to no list. When a new
  /// database is opened for the first time, renames such files instead, and makes the numbers of events greater than
  /// those of a lost database.
  private static func tidy(_ folder: String, _ database: borrowing Database) throws(DatabaseError) {
    try database.run(
      removalOfEmptyLists + "AND generation IS NULL AND NOT EXISTS (SELECT 1 FROM changes WHERE list = lists.id)")
    var current: Set<String> = []
    var files = try database.prepare("SELECT id, generation FROM lists WHERE generation IS NOT NULL")
    while try files.step() {
      current.insert(SnapshotPlan.name(MonitoringListID(try files.integer(0)), try files.integer(1)))
    }
    var settled = try database.prepare("SELECT 1 FROM settled")
    let isSettled = try settled.step()
    settled.end()
    do throws(SystemError) {
      for name in try PrivateFolder.files(in: folder).map(\.name)
      where SnapshotPlan.isNamed(name) && !name.holds(".damaged-") && !current.contains(name) {
        if isSettled || name.hasSuffix(".new") {
          try FileChange.remove("\(folder)/\(name)")
        } else {
          // A snapshot of a lost database is renamed, because the user may want to recover it.
          do throws(DatabaseError) {
            _ = try Database.setAside("\(folder)/\(name)")
          } catch {
            guard case .system(let error) = error else { continue }
            throw error
          }
        }
      }
    } catch {
      throw .system(error)
    }
    guard !isSettled else { return }
    try database.transaction { () throws(DatabaseError) in
      if try Database.lastSetAside("\(folder)/\(fileName)") != nil {
        // Programs remember the lost database's events by number. The first new number is derived from the time, so
        // that all new numbers are greater.
        try database.run(
          "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', CAST(strftime('%s', 'now') AS INTEGER) << 20)")
      }
      try database.run("INSERT INTO settled VALUES (0)")
    }
  }
}

/// The values in files, which never change.
extension MonitoringSubject {
  var kept: (kind: DatabaseValue, identifier: DatabaseValue) {
    switch self {
    case .region(let identifier): (.integer(0), .text(identifier))
    case .visits: (.integer(1), .text(""))
    case .significantChanges: (.integer(2), .text(""))
    }
  }

  init?(keptKind kind: Int64, identifier: String) {
    switch kind {
    case 0: self = .region(identifier)
    case 1: self = .visits
    case 2: self = .significantChanges
    default: return nil
    }
  }
}

/// The number of a list in the store; never reused.
package struct MonitoringListID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  var value: DatabaseValue { .integer(rawValue) }
}

/// Why a list cannot be found or created.
package enum MonitoringStoreError: Error, Hashable, Sendable {
  /// The limit for all lists is reached.
  case lists(most: Int)
  /// The limit for that identity is reached.
  case listsOfIdentity(ClientIdentity, most: Int)
  /// The name is too long, in bytes of UTF-8.
  case name(length: Int, most: Int)
  case database(DatabaseError)
}

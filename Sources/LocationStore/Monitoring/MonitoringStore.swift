import LinuxIO
package import LocationPolicy

/// What is monitored for programs that come and go, and what they have not heard yet, in a database of the state folder of its own and
/// a file of regions for each list that has many.
///
/// What a call has kept is on the disk when it returns, whole or not at all. Regions are their file's, as the database's rows have
/// changed them since: so that a million of them are read at once, and a change of one is a small thing.
package struct MonitoringStore: ~Copyable {
  /// Statements that lead from each version to the next; what has been released is never changed.
  ///
  /// Of `lists`: `generation` is that of the file of regions, NULL where there is none, and `regions` how many it has; `planned` that of
  /// the last file that was planned, `adoptable` the first that may still become the list's. `change` is the number of the last change,
  /// and `changed` no less than there are rows in `changes`. Of those, one without a definition is a region of the file with another
  /// state; without a state, too, one that was removed. Subjects have kinds: 0 a region, 1 visits, 2 significant changes. `settled` has
  /// its row once the files that were found at the first opening are dealt with.
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
  ]

  /// The file in the state folder.
  package static let fileName = "monitoring.sqlite"
  /// Of all identities.
  package static let mostLists = 256
  /// Of one identity.
  package static let mostListsOfIdentity = 64
  /// What a list's programs may leave unheard: beyond, the oldest events go.
  package static let mostPending = 1000
  /// Of a list, the newest.
  package static let mostVisits = 10_000

  let folder: String
  let database: Database
  /// The names that damaged files of regions were given since this was opened.
  package internal(set) var setAsideSnapshots: [String] = []

  /// Opens the store of a state folder, which is made where it is not there; a damaged one is set aside, with its files of regions, and
  /// a new one begun.
  package init(stateFolder: String) throws(DatabaseError) {
    let database = try Database.open(
      settingAside: "\(stateFolder)/\(Self.fileName)", migrations: Self.migrations)
    // What a great change has left of the log goes with the next.
    try database.run("PRAGMA journal_size_limit = 4194304")
    try Self.tidy(stateFolder, database)
    folder = stateFolder
    self.database = database
  }

  /// Opens a store that cannot be written, to read what it holds.
  package init(reading stateFolder: String) throws(DatabaseError) {
    database = try Database(reading: "\(stateFolder)/\(Self.fileName)", version: Self.migrations.count)
    folder = stateFolder
  }

  /// Whether a state folder has one, or something that is none in its place, which opening it tells.
  package static func exists(in stateFolder: String) -> Bool {
    do throws(SystemError) {
      return try PrivateFolder.entry("\(stateFolder)/\(fileName)") != .nothing
    } catch {
      return true
    }
  }

  /// The name that a damaged database was given.
  package var setAside: String? { database.setAside }

  /// Removes files that were set aside: what is to be forgotten may stand in them.
  package static func removeSetAside(in stateFolder: String) throws(DatabaseError) {
    do throws(SystemError) {
      for file in try PrivateFolder.files(in: stateFolder)
      where file.name.contains(".damaged-") && (file.name.hasPrefix(fileName) || SnapshotPlan.isNamed(file.name)) {
        try FileChange.remove("\(stateFolder)/\(file.name)")
      }
    } catch {
      throw .system(error)
    }
  }

  /// What was being done when the power went: lists of nothing, files of regions that are no list's.
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
      where SnapshotPlan.isNamed(name) && !name.contains(".damaged-") && !current.contains(name) {
        if isSettled || name.hasSuffix(".new") {
          try FileChange.remove("\(folder)/\(name)")
        } else {
          // Of a database that is lost: it may be wanted again.
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
        // Programs remember events of the lost one by their numbers: those that follow are greater, as the time is.
        try database.run(
          "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', CAST(strftime('%s', 'now') AS INTEGER) << 20)")
      }
      try database.run("INSERT INTO settled VALUES (0)")
    }
  }
}

/// As they stand on disks, for ever.
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

/// The number of a list in the store: of no other list, also of none that has been.
package struct MonitoringListID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  var value: DatabaseValue { .integer(rawValue) }
}

/// Why there is no list.
package enum MonitoringStoreError: Error, Hashable, Sendable {
  /// There are as many as there may be.
  case lists(most: Int)
  /// That identity has as many as it may have.
  case listsOfIdentity(ClientIdentity, most: Int)
  /// A name of so many bytes of UTF-8.
  case name(length: Int, most: Int)
  case database(DatabaseError)
}

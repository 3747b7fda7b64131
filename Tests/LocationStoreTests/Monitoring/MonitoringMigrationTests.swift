import Foundation
import LocationDatabase
import LocationPolicy
import LocationStore
import Regions
import Testing

/// Data that version 0.1.0 stored is still there after an update.
@Suite struct MonitoringMigrationTests {
  /// The database of a 0.1.0 daemon, as printed by `sqlite3 .dump`, with a circle that has commands, a polygon, and
  /// visits.
  private static let dump = """
    CREATE TABLE changes (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, identifier TEXT NOT NULL,
      definition BLOB, state INTEGER, change INTEGER NOT NULL,
      PRIMARY KEY (list, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT, list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
      kind INTEGER NOT NULL, identifier TEXT NOT NULL, body BLOB NOT NULL, owed INTEGER NOT NULL,
      attempts_programs INTEGER NOT NULL DEFAULT 0, attempts_command INTEGER NOT NULL DEFAULT 0,
      attempts_notification INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE launches (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, kind INTEGER NOT NULL, identifier TEXT NOT NULL,
      on_entry TEXT, on_exit TEXT, is_shown INTEGER NOT NULL,
      PRIMARY KEY (list, kind, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE lists (
      id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, realm TEXT NOT NULL, name TEXT NOT NULL,
      wants_visits INTEGER NOT NULL DEFAULT 0, wants_significant INTEGER NOT NULL DEFAULT 0,
      generation INTEGER, regions INTEGER NOT NULL DEFAULT 0, planned INTEGER NOT NULL DEFAULT 0,
      adoptable INTEGER NOT NULL DEFAULT 0, change INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      UNIQUE (user_id, realm, name)
    ) STRICT;
    CREATE TABLE progress (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, key TEXT NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (list, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, identifier TEXT NOT NULL,
      state INTEGER NOT NULL, time_ns INTEGER,
      PRIMARY KEY (list, identifier)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE settled (only INTEGER PRIMARY KEY CHECK (only = 0)) STRICT;
    CREATE TABLE visits (
      number INTEGER PRIMARY KEY AUTOINCREMENT, list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
      latitude REAL NOT NULL, longitude REAL NOT NULL, radius68_m REAL NOT NULL, arrival_ns INTEGER, departure_ns INTEGER
    ) STRICT;
    CREATE INDEX events_by_list ON events (list);
    CREATE INDEX visits_by_list ON visits (list);
    INSERT INTO settled VALUES (0);
    INSERT INTO lists VALUES (1, 0, '', 'locationctl', 1, 0, NULL, 0, 0, 0, 2, 2, 0);
    INSERT INTO changes VALUES (1, 'home',
      X'5245474E01010000000C0400686F6D6566666666668647401F85EB51B89E20400000000000C062401C2F6CBF', 0, 1);
    INSERT INTO changes VALUES (1, 'lake ü',
      X'5245474E01010000001C07006C616B6520C3BC0300CDCCCCCCCC8C474033333333333320409A9999999999474033333333333320409A999999999947409A999999999920406938E7DD',
      0, 2);
    INSERT INTO launches VALUES (1, 0, 'home', 'd31d2f0e41f43e8f9b2cb58aa8a41db0', '3e83490e66aa8ae10cf5cc49e7eb5227', 1);
    INSERT INTO launches VALUES (1, 1, '', '6e5620e5f17a006b258a1edfb8015d6e', NULL, 0);
    INSERT INTO progress VALUES (1, 'notices', X'01')
    """

  @Test func whatTheFirstReleaseHasKeptIsThere() throws {
    let place = try TemporaryFolder()
    do { _ = try Database(path: "\(place.path)/\(MonitoringStore.fileName)", migrations: [Self.dump]) }
    let (enter, exit) = (
      CommandToken("d31d2f0e41f43e8f9b2cb58aa8a41db0"), CommandToken("3e83490e66aa8ae10cf5cc49e7eb5227")
    )
    let timing = try #require(RegionTiming(dwellSeconds: 300, unknownAfterSeconds: 60))
    let unknown = CommandToken.random()
    do {
      var store = try MonitoringStore(stateFolder: place.path)
      #expect(store.setAside == nil)
      let list = try #require(try store.lists().first)
      #expect(list.list.name == "locationctl" && list.list.identity.userID == 0)
      let monitor = try store.load(list.id)
      #expect(Set(monitor.watched.map(\.region.identifier)) == ["home", "lake ü"])
      #expect(
        try store.launch(list.id, .region("home")) == MonitoringLaunch(onEntry: enter, onExit: exit, isShown: true))
      #expect(try store.requestedUses(of: list.id) == (true, false) && store.timings(of: list.id).isEmpty)
      let home = try #require(monitor.watched("home")?.region)
      try store.change(list.id, [.add(home, .unknown, MonitoringLaunch(onEntry: enter, onUnknown: unknown), timing)])
    }
    let store = try MonitoringStore(stateFolder: place.path)
    let list = try #require(try store.lists().first).id
    #expect(try store.timings(of: list).map(\.timing) == [timing])
    #expect(try store.launch(list, .region("home")) == MonitoringLaunch(onEntry: enter, onUnknown: unknown))
    // A timing is removed with its region, and with all regions.
    try store.change(list, [.remove("home")])
    #expect(try store.timings(of: list).isEmpty && store.launch(list, .region("home")).isEmpty)
    try store.change(list, [.add(try testRegion("a"), .unknown, MonitoringLaunch(), timing), .removeAll])
    #expect(try store.timings(of: list).isEmpty)
  }
}

import Geodesy
package import LocationDatabase
package import LocationPolicy

/// The authorization grants, the switch of the location service and the position under reduced accuracy, in a database
/// of their own in the state folder. The store is opened for each change, because decisions are rare; no connection
/// stays open.
package struct GrantStore: ~Copyable {
  /// Statements that migrate each version to the next; statements of released versions never change.
  private static let migrations = [
    """
    CREATE TABLE grants (
      user_id INTEGER NOT NULL, realm TEXT NOT NULL,
      level INTEGER NOT NULL, is_reduced INTEGER NOT NULL, is_provisional INTEGER NOT NULL,
      has_asked_always INTEGER NOT NULL, declared_always INTEGER NOT NULL, declared_when_in_use INTEGER NOT NULL,
      purpose TEXT, name TEXT,
      decided_ns INTEGER, used_ns INTEGER, used_in_background_ns INTEGER,
      PRIMARY KEY (user_id, realm)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE switches (name TEXT PRIMARY KEY, is_on INTEGER NOT NULL) STRICT
    """,
    """
    CREATE TABLE reduced (
      only INTEGER PRIMARY KEY CHECK (only = 0),
      latitude REAL NOT NULL, longitude REAL NOT NULL, radius68_m REAL NOT NULL, fix_ns INTEGER NOT NULL
    ) STRICT
    """,
  ]

  /// Name of the file in the state folder.
  package static let fileName = "grants.sqlite"

  private let database: Database

  /// Opens the store of a state folder, creating it if necessary. A damaged file is renamed, and the new file contains
  /// no grants.
  package init(stateFolder: String) throws(DatabaseError) {
    database = try Database.open(settingAside: Self.path(in: stateFolder), migrations: Self.migrations)
  }

  /// Opens a damaged file to recover what can be read.
  init(damaged path: String) throws(DatabaseError) { database = try Database(damaged: path) }

  /// Opens a file and creates no new one if it is damaged.
  init(whole path: String) throws(DatabaseError) { database = try Database(path: path, migrations: Self.migrations) }

  /// Opens, for reading, a file that cannot be written.
  init(reading path: String) throws(DatabaseError) {
    database = try Database(reading: path, version: Self.migrations.count)
  }

  package static func path(in stateFolder: String) -> String { "\(stateFolder)/\(fileName)" }

  /// The new name of a damaged file; `nil` if no file was damaged.
  package var setAside: String? { database.setAside }

  /// All grants, skipping malformed rows.
  package func grants() throws(DatabaseError) -> [Grant] {
    var grants: [Grant] = []
    try forEachGrant { grants.append($0) }
    return grants
  }

  /// Calls `body` with each grant, as far as the file can be read.
  func forEachGrant(_ body: (Grant) -> Void) throws(DatabaseError) {
    var statement = try database.prepare(
      """
      SELECT user_id, realm, level, is_reduced, is_provisional, has_asked_always, declared_always, declared_when_in_use,
        purpose, name, decided_ns, used_ns, used_in_background_ns FROM grants ORDER BY user_id, realm
      """)
    while try statement.step() {
      guard let userID = UInt32(exactly: try statement.integer(0)),
        let realm = ClientIdentity.Realm(parsing: try statement.text(1)),
        let level = AuthorizationLevel(kept: try statement.integer(2))
      else { continue }
      var record = GrantRecord(level, isReduced: try statement.integer(3) != 0)
      record.isProvisional = try statement.integer(4) != 0
      record.hasAskedAlways = try statement.integer(5) != 0
      record.declaredAlways = try statement.integer(6) != 0
      record.declaredWhenInUse = try statement.integer(7) != 0
      record.purpose = try statement.optionalText(8)
      record.name = try statement.optionalText(9)
      record.decidedAt = try statement.optionalInteger(10).map { GNSSTime(nanosecondsSince1970: $0) }
      record.usedAt = try statement.optionalInteger(11).map { GNSSTime(nanosecondsSince1970: $0) }
      record.usedInBackgroundAt = try statement.optionalInteger(12).map { GNSSTime(nanosecondsSince1970: $0) }
      body(Grant(ClientIdentity(userID: userID, realm: realm), record))
    }
  }

  /// Whether the location service is switched on, which is the default.
  package func isOn() throws(DatabaseError) -> Bool {
    var statement = try database.prepare("SELECT is_on FROM switches WHERE name = 'services'")
    return try statement.step() ? try statement.integer(0) != 0 : true
  }

  /// The last position reported under reduced accuracy; `nil` if there is none, or if it is malformed.
  package func reducedPlace() throws(DatabaseError) -> ReducedPositionState? {
    var statement = try database.prepare("SELECT latitude, longitude, radius68_m, fix_ns FROM reduced")
    guard try statement.step(), let latitude = try statement.optionalReal(0),
      let longitude = try statement.optionalReal(1), let radius = try statement.optionalReal(2), radius > 0,
      radius <= PositionFix.greatestRadius68.value,
      let point = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else { return nil }
    let time = GNSSTime(nanosecondsSince1970: try statement.integer(3))
    return ReducedPositionState(point: point, radius68: Meters(radius), time: time)
  }

  /// Stores all of the changes, or none if one fails.
  package func keep(_ changes: [GrantChange]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for change in changes { try keep(change) }
    }
  }

  private func keep(_ change: GrantChange) throws(DatabaseError) {
    switch change {
    case .switched(let isOn):
      try database.run(
        "INSERT OR REPLACE INTO switches (name, is_on) VALUES ('services', ?)", [.integer(isOn ? 1 : 0)])
    case .reduced(let place):
      try database.run(
        "INSERT OR REPLACE INTO reduced VALUES (0, ?, ?, ?, ?)",
        [
          .real(place.point.latitude.degrees), .real(place.point.longitude.degrees), .real(place.radius68.value),
          .integer(place.time.nanosecondsSince1970),
        ])
    case .grant(let identity, nil):
      try database.run(
        "DELETE FROM grants WHERE user_id = ? AND realm = ?",
        [.integer(Int64(identity.userID)), .text(identity.realm.text)])
    case .grant(let identity, let record?):
      try database.run(
        "INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .integer(Int64(identity.userID)), .text(identity.realm.text), .integer(record.level.kept),
          .integer(record.isReduced ? 1 : 0), .integer(record.isProvisional ? 1 : 0),
          .integer(record.hasAskedAlways ? 1 : 0), .integer(record.declaredAlways ? 1 : 0),
          .integer(record.declaredWhenInUse ? 1 : 0), DatabaseValue(record.purpose), DatabaseValue(record.name),
          DatabaseValue(record.decidedAt?.nanosecondsSince1970), DatabaseValue(record.usedAt?.nanosecondsSince1970),
          DatabaseValue(record.usedInBackgroundAt?.nanosecondsSince1970),
        ])
    }
  }
}

/// One change to the stored authorization.
package enum GrantChange: Hashable, Sendable {
  /// `nil` deletes the record.
  case grant(ClientIdentity, GrantRecord?)
  case switched(isOn: Bool)
  /// The position that is reported under reduced accuracy.
  case reduced(ReducedPositionState)

  /// The subject of a change: only the newest change of a subject needs to be stored.
  package enum Subject: Hashable, Sendable {
    case identity(ClientIdentity)
    case services
    case reduced
  }

  package var subject: Subject {
    switch self {
    case .grant(let identity, _): .identity(identity)
    case .switched: .services
    case .reduced: .reduced
    }
  }
}

/// The values in files, which never change.
extension AuthorizationLevel {
  fileprivate var kept: Int64 {
    switch self {
    case .notDetermined: 0
    case .restricted: 1
    case .denied: 2
    case .whenInUse: 3
    case .always: 4
    }
  }

  fileprivate init?(kept: Int64) {
    guard let level = Self.allCases.first(where: { $0.kept == kept }) else { return nil }
    self = level
  }
}

import Geodesy
import LinuxIO
package import Positioning
package import WireFormats

/// Where access points are, in a database of the state folder of its own: what was learnt of them here, what was imported, and what was
/// fetched in tiles; and what a provider has answered.
/// Ten million of them are a file of some hundred megabytes, of which a look-up reads four pages.
package struct AccessPointStore: ~Copyable {
  /// Statements that lead from each version to the next; what has been released is never changed. The address is the key of the
  /// table's own tree, so that there is no second one.
  private static let migrations = [
    """
    CREATE TABLE learned (bssid INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
    CREATE TABLE imported (
      bssid INTEGER PRIMARY KEY, latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, radius68_dm INTEGER NOT NULL
    ) STRICT
    """,
    // Tiles by their number (`TileKey.number`). `places`: how many; NULL: there is none. `used`: the order of their use. An answer's
    // latitude is NULL where nothing was found.
    """
    CREATE TABLE fetched (
      bssid INTEGER PRIMARY KEY, latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, radius68_dm INTEGER NOT NULL,
      tile INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX fetched_by_tile ON fetched (tile);
    CREATE TABLE tiles (tile INTEGER PRIMARY KEY, asked_at INTEGER, places INTEGER, used INTEGER NOT NULL) STRICT;
    CREATE TABLE answers (
      number INTEGER PRIMARY KEY, answered_at INTEGER NOT NULL, bssids BLOB NOT NULL, latitude_e7 INTEGER, longitude_e7 INTEGER,
      radius68_dm INTEGER
    ) STRICT
    """,
  ]

  /// The file in the state folder.
  package static let fileName = "wifi.sqlite"

  let database: Database
  private var findLearned: Statement
  private var findPlace: Statement

  /// Opens the store of a state folder, which is made where it is not there; a damaged one is set aside, and a new one begun.
  package init(stateFolder: String) throws(DatabaseError) {
    let path = "\(stateFolder)/\(Self.fileName)"
    let database = try Database.open(settingAside: path, migrations: Self.migrations, size: .large)
    let findLearned = try database.prepare("SELECT record FROM learned WHERE bssid = ?")
    let findPlace = try database.prepare(
      """
      SELECT latitude_e7, longitude_e7, radius68_dm, 0 AS rank FROM imported WHERE bssid = ?1
      UNION ALL SELECT latitude_e7, longitude_e7, radius68_dm, 1 FROM fetched WHERE bssid = ?1 ORDER BY rank LIMIT 1
      """)
    self.database = database
    self.findLearned = findLearned
    self.findPlace = findPlace
  }

  /// Gives a file that turns out to be damaged another name, whole as it is, so that the next one is a new one. Nothing may have it
  /// open.
  package static func setAside(in stateFolder: String) throws(DatabaseError) {
    _ = try Database.setAside("\(stateFolder)/\(fileName)")
  }

  /// Removes files that were set aside: what is to be forgotten may stand in them.
  package static func removeSetAside(in stateFolder: String) throws(DatabaseError) {
    do throws(SystemError) {
      for file in try PrivateFolder.files(in: stateFolder) where file.name.hasPrefix("\(fileName).damaged-") {
        try FileChange.remove("\(stateFolder)/\(file.name)")
      }
    } catch {
      throw .system(error)
    }
  }

  /// Whether a state folder has one.
  package static func exists(in stateFolder: String) -> Bool {
    (try? PrivateFolder.files(in: stateFolder))?.contains { $0.name == fileName } ?? false
  }

  /// The name that a damaged file was given.
  package var setAside: String? { database.setAside }

  // MARK: Look-up

  /// What was learnt of an access point.
  package mutating func record(of bssid: BSSID) throws(DatabaseError) -> [UInt8]? {
    defer { findLearned.end() }
    try findLearned.bind([.integer(Int64(bssid.rawValue))])
    return try findLearned.step() ? try findLearned.blob(0) : nil
  }

  /// Where others say that an access point is: what was imported before what was fetched. A row that makes no sense says nothing.
  package mutating func place(of bssid: BSSID) throws(DatabaseError) -> AccessPointPlace? {
    defer { findPlace.end() }
    try findPlace.bind([.integer(Int64(bssid.rawValue))])
    guard try findPlace.step() else { return nil }
    return Self.place(bssid, try findPlace.integer(0), try findPlace.integer(1), try findPlace.integer(2))
  }

  /// Whether anything is known of an access point.
  package mutating func knows(_ bssid: BSSID) throws(DatabaseError) -> Bool {
    if try record(of: bssid) != nil { return true }
    defer { findPlace.end() }
    try findPlace.bind([.integer(Int64(bssid.rawValue))])
    return try findPlace.step()
  }

  // MARK: Change

  /// Keeps what was learnt, in place of what was before; `nil`: it is forgotten.
  package func keep(_ records: [(bssid: BSSID, bytes: [UInt8]?)]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      var insert = try database.prepare("INSERT OR REPLACE INTO learned VALUES (?, ?)")
      var delete = try database.prepare("DELETE FROM learned WHERE bssid = ?")
      for (bssid, bytes) in records {
        if let bytes {
          try insert.bind([.integer(Int64(bssid.rawValue)), .blob(bytes)])
          _ = try insert.step()
        } else {
          try delete.bind([.integer(Int64(bssid.rawValue))])
          _ = try delete.step()
        }
      }
    }
  }

  /// Keeps where others say that access points are; what they said before is replaced.
  package func add(_ places: [AccessPointPlace]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      var insert = try database.prepare("INSERT OR REPLACE INTO imported VALUES (?, ?, ?, ?)")
      for place in places {
        try insert.bind(Self.row(place))
        _ = try insert.step()
      }
    }
  }

  /// Forgets all that is known of these.
  package func forget(_ addresses: Set<BSSID>) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for table in ["learned", "imported", "fetched"] {
        var delete = try database.prepare("DELETE FROM \(table) WHERE bssid = ?")
        for address in addresses {
          try delete.bind([.integer(Int64(address.rawValue))])
          _ = try delete.step()
        }
      }
    }
  }

  /// Forgets all that was learnt here.
  package func forgetLearned() throws(DatabaseError) { try database.run("DELETE FROM learned") }

  /// Forgets all that was imported.
  package func forgetImported() throws(DatabaseError) { try database.run("DELETE FROM imported") }

  // MARK: All of it

  /// How many access points were learnt, imported, and fetched.
  package func counts() throws(DatabaseError) -> (learned: Int, imported: Int, fetched: Int) {
    (try count("learned"), try count("imported"), try count("fetched"))
  }

  /// What was learnt, by address, after `last`; at most `limit`.
  package func records(after last: BSSID?, limit: Int) throws(DatabaseError) -> [(bssid: BSSID, bytes: [UInt8])] {
    var statement = try database.prepare("SELECT bssid, record FROM learned WHERE bssid > ? ORDER BY bssid LIMIT ?")
    try statement.bind([.integer(last.map { Int64($0.rawValue) } ?? -1), .integer(Int64(limit))])
    var records: [(bssid: BSSID, bytes: [UInt8])] = []
    while try statement.step() {
      guard let bssid = BSSID(rawValue: UInt64(bitPattern: try statement.integer(0))) else { continue }
      records.append((bssid, try statement.blob(1)))
    }
    return records
  }

  /// Whose word a place is that was not learnt here.
  package enum Origin: String, Hashable, Sendable {
    case imported, fetched
  }

  /// What was imported, or fetched, by address, after `last`; at most `limit`.
  package func places(
    of origin: Origin = .imported, after last: BSSID?, limit: Int
  ) throws(DatabaseError) -> [AccessPointPlace] {
    var statement = try database.prepare(
      """
      SELECT bssid, latitude_e7, longitude_e7, radius68_dm FROM \(origin.rawValue) WHERE bssid > ? ORDER BY bssid LIMIT ?
      """)
    try statement.bind([.integer(last.map { Int64($0.rawValue) } ?? -1), .integer(Int64(limit))])
    var places: [AccessPointPlace] = []
    while try statement.step() {
      guard let bssid = BSSID(rawValue: UInt64(bitPattern: try statement.integer(0))),
        let place = Self.place(
          bssid, try statement.integer(1), try statement.integer(2), try statement.integer(3))
      else { continue }
      places.append(place)
    }
    return places
  }

  /// Whether there is none.
  package func isEmpty() throws(DatabaseError) -> Bool {
    var statement = try database.prepare(
      "SELECT 1 FROM learned UNION ALL SELECT 1 FROM imported UNION ALL SELECT 1 FROM fetched LIMIT 1")
    return try !statement.step()
  }

  func count(_ table: String) throws(DatabaseError) -> Int {
    var statement = try database.prepare("SELECT count(*) FROM \(table)")
    guard try statement.step() else { throw .noRow(statement: "SELECT count(*)") }
    return Int(try statement.integer(0))
  }

  /// A wider one says nothing.
  private static let greatestRadius = Meters(10_000)

  /// The columns of a place.
  static func row(_ place: AccessPointPlace) -> [DatabaseValue] {
    [
      .integer(Int64(place.bssid.rawValue)),
      .integer(Int64((place.coordinate.latitude.degrees * 1e7).rounded())),
      .integer(Int64((place.coordinate.longitude.degrees * 1e7).rounded())),
      .integer(Int64((min(place.radius68.value, Self.greatestRadius.value) * 10).rounded(.up))),
    ]
  }

  static func place(
    _ bssid: BSSID, _ latitudeE7: Int64, _ longitudeE7: Int64, _ radiusDecimeters: Int64
  ) -> AccessPointPlace? {
    guard radiusDecimeters > 0,
      let coordinate = Coordinate(
        checkingLatitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
    else { return nil }
    return AccessPointPlace(
      bssid: bssid, coordinate: coordinate, radius68: Meters(Double(radiusDecimeters) / 10))
  }
}

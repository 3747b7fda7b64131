import Geodesy
import LinuxIO
package import LocationDatabase
package import Positioning
package import WireFormats

/// The access point database, in a file of its own in the state folder: access points that were learned, imported, or
/// downloaded in tiles; and the answers of a provider. Ten million access points take some hundred megabytes; a lookup
/// reads four pages.
package struct AccessPointStore: ~Copyable {
  /// Statements that migrate each version to the next; statements of released versions never change. The address is the
  /// key of the table's own B-tree, so that no second index is needed.
  private static let migrations = [
    """
    CREATE TABLE learned (bssid INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
    CREATE TABLE imported (
      bssid INTEGER PRIMARY KEY, latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, radius68_dm INTEGER NOT NULL
    ) STRICT
    """,
    // Tiles by their number (`TileKey.number`). `places`: number of access points; NULL: the tile does not exist.
    // `used`: the order of use. An answer's latitude is NULL if nothing was found.
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

  /// Name of the file in the state folder.
  package static let fileName = "wifi.sqlite"

  let database: Database
  private var findLearned: Statement
  private var findPlace: Statement

  /// Opens the store of a state folder, creating it if necessary. A damaged file is renamed and a new one created.
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

  /// Renames a damaged file, unchanged, so that the next open creates a new one. No process may have it open.
  package static func setAside(in stateFolder: String) throws(DatabaseError) {
    _ = try Database.setAside("\(stateFolder)/\(fileName)")
  }

  /// Deletes renamed damaged files, because they may contain data that has to be deleted.
  package static func removeSetAside(in stateFolder: String) throws(DatabaseError) {
    do throws(SystemError) {
      for file in try PrivateFolder.files(in: stateFolder) where file.name.hasPrefix("\(fileName).damaged-") {
        try FileChange.remove("\(stateFolder)/\(file.name)")
      }
    } catch {
      throw .system(error)
    }
  }

  /// Whether a state folder contains the file.
  package static func exists(in stateFolder: String) -> Bool {
    (try? PrivateFolder.files(in: stateFolder))?.contains { $0.name == fileName } ?? false
  }

  /// The new name of a damaged file; `nil` if no file was damaged.
  package var setAside: String? { database.setAside }

  // MARK: Look-up

  /// The learned record of an access point; `nil` if there is none.
  package mutating func record(of bssid: BSSID) throws(DatabaseError) -> [UInt8]? {
    defer { findLearned.end() }
    try findLearned.bind([.integer(Int64(bssid.rawValue))])
    return try findLearned.step() ? try findLearned.blob(0) : nil
  }

  /// The position of an access point from sources other than learning; imported rows take precedence over downloaded
  /// ones. `nil` if there is no row, or a malformed one.
  package mutating func place(of bssid: BSSID) throws(DatabaseError) -> AccessPointPosition? {
    defer { findPlace.end() }
    try findPlace.bind([.integer(Int64(bssid.rawValue))])
    guard try findPlace.step() else { return nil }
    return Self.place(bssid, try findPlace.integer(0), try findPlace.integer(1), try findPlace.integer(2))
  }

  /// Whether anything is stored about an access point.
  package mutating func knows(_ bssid: BSSID) throws(DatabaseError) -> Bool {
    if try record(of: bssid) != nil { return true }
    defer { findPlace.end() }
    try findPlace.bind([.integer(Int64(bssid.rawValue))])
    return try findPlace.step()
  }

  // MARK: Change

  /// Stores learned records, replacing earlier ones; `nil` deletes a record.
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

  /// Stores imported positions, replacing earlier ones.
  package func add(_ places: [AccessPointPosition]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      var insert = try database.prepare("INSERT OR REPLACE INTO imported VALUES (?, ?, ?, ?)")
      for place in places {
        try insert.bind(Self.row(place))
        _ = try insert.step()
      }
    }
  }

  /// Deletes everything stored about these access points.
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

  /// Deletes all learned records.
  package func forgetLearned() throws(DatabaseError) { try database.run("DELETE FROM learned") }

  /// Deletes all imported positions.
  package func forgetImported() throws(DatabaseError) { try database.run("DELETE FROM imported") }

  // MARK: All of it

  /// Number of learned, imported and downloaded access points.
  package func counts() throws(DatabaseError) -> (learned: Int, imported: Int, fetched: Int) {
    (try count("learned"), try count("imported"), try count("fetched"))
  }

  /// Learned records, sorted by address, after `last`; at most `limit`.
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

  /// The source of a position that was not learned on this system.
  package enum Origin: String, Hashable, Sendable {
    case imported, fetched
  }

  /// Imported or downloaded positions, sorted by address, after `last`; at most `limit`.
  package func places(
    of origin: Origin = .imported, after last: BSSID?, limit: Int
  ) throws(DatabaseError) -> [AccessPointPosition] {
    var statement = try database.prepare(
      """
      SELECT bssid, latitude_e7, longitude_e7, radius68_dm FROM \(origin.rawValue) WHERE bssid > ? ORDER BY bssid LIMIT ?
      """)
    try statement.bind([.integer(last.map { Int64($0.rawValue) } ?? -1), .integer(Int64(limit))])
    var places: [AccessPointPosition] = []
    while try statement.step() {
      guard let bssid = BSSID(rawValue: UInt64(bitPattern: try statement.integer(0))),
        let place = Self.place(
          bssid, try statement.integer(1), try statement.integer(2), try statement.integer(3))
      else { continue }
      places.append(place)
    }
    return places
  }

  /// Whether the store contains no access points.
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

  /// Larger radii are stored as this one: a position with such a radius is useless.
  private static let greatestRadius = Meters(10_000)

  /// The columns of a position.
  static func row(_ place: AccessPointPosition) -> [DatabaseValue] {
    [
      .integer(Int64(place.bssid.rawValue)),
      .integer(Int64((place.coordinate.latitude.degrees * 1e7).rounded())),
      .integer(Int64((place.coordinate.longitude.degrees * 1e7).rounded())),
      .integer(Int64((min(place.radius68.value, Self.greatestRadius.value) * 10).rounded(.up))),
    ]
  }

  static func place(
    _ bssid: BSSID, _ latitudeE7: Int64, _ longitudeE7: Int64, _ radiusDecimeters: Int64
  ) -> AccessPointPosition? {
    guard radiusDecimeters > 0,
      let coordinate = Coordinate(
        checkingLatitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
    else { return nil }
    return AccessPointPosition(
      bssid: bssid, coordinate: coordinate, radius68: Meters(Double(radiusDecimeters) / 10))
  }
}

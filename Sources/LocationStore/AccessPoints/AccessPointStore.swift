import Geodesy
import LinuxIO
package import Positioning
package import WireFormats

/// Where access points are, in a database of the state folder of its own: what was learnt of them here, and what was imported.
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
    """
  ]

  /// The file in the state folder.
  package static let fileName = "wifi.sqlite"

  private let database: Database
  private var findLearned: Statement
  private var findImported: Statement

  /// Opens the store of a state folder, which is made where it is not there; a damaged one is set aside, and a new one begun.
  package init(stateFolder: String) throws(DatabaseError) {
    let path = "\(stateFolder)/\(Self.fileName)"
    let database = try Database.open(settingAside: path, migrations: Self.migrations, size: .large)
    let findLearned = try database.prepare("SELECT record FROM learned WHERE bssid = ?")
    let findImported = try database.prepare(
      "SELECT latitude_e7, longitude_e7, radius68_dm FROM imported WHERE bssid = ?")
    self.database = database
    self.findLearned = findLearned
    self.findImported = findImported
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

  /// Where others say that an access point is. A row that makes no sense says nothing.
  package mutating func place(of bssid: BSSID) throws(DatabaseError) -> AccessPointPlace? {
    defer { findImported.end() }
    try findImported.bind([.integer(Int64(bssid.rawValue))])
    guard try findImported.step() else { return nil }
    return Self.place(
      bssid, try findImported.integer(0), try findImported.integer(1), try findImported.integer(2))
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
        try insert.bind([
          .integer(Int64(place.bssid.rawValue)),
          .integer(Int64((place.coordinate.latitude.degrees * 1e7).rounded())),
          .integer(Int64((place.coordinate.longitude.degrees * 1e7).rounded())),
          .integer(Int64((min(place.radius68.value, Self.greatestRadius.value) * 10).rounded(.up))),
        ])
        _ = try insert.step()
      }
    }
  }

  /// Forgets all that was learnt here.
  package func forgetLearned() throws(DatabaseError) { try database.run("DELETE FROM learned") }

  /// Forgets all that was imported.
  package func forgetImported() throws(DatabaseError) { try database.run("DELETE FROM imported") }

  // MARK: All of it

  /// How many access points were learnt, and imported.
  package func counts() throws(DatabaseError) -> (learned: Int, imported: Int) {
    (try count("learned"), try count("imported"))
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

  /// What was imported, by address, after `last`; at most `limit`.
  package func places(after last: BSSID?, limit: Int) throws(DatabaseError) -> [AccessPointPlace] {
    var statement = try database.prepare(
      "SELECT bssid, latitude_e7, longitude_e7, radius68_dm FROM imported WHERE bssid > ? ORDER BY bssid LIMIT ?")
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
      "SELECT 1 FROM learned UNION ALL SELECT 1 FROM imported LIMIT 1")
    return try !statement.step()
  }

  private func count(_ table: String) throws(DatabaseError) -> Int {
    var statement = try database.prepare("SELECT count(*) FROM \(table)")
    guard try statement.step() else { throw .noRow(statement: "SELECT count(*)") }
    return Int(try statement.integer(0))
  }

  /// A wider one says nothing.
  private static let greatestRadius = Meters(10_000)

  private static func place(
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

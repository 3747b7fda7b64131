package import Geodesy
package import LocationDatabase
package import LocationPolicy
import Regions

/// Visits, the last reported states of regions, and small state values.
extension MonitoringStore {
  // MARK: Visits

  /// Value of `departure_ns` for a departure that was not observed; NULL means that the visit continues. No visit ends
  /// in the year 1677.
  private static let unknownDeparture = Int64.min

  /// Stores a visit of a list, or updates it when its departure or a better position becomes known. The oldest visits
  /// beyond `mostVisits` are deleted.
  package func keep(_ visit: Visit, of list: MonitoringListID) throws(DatabaseError) {
    var step = MonitoringStep()
    step.visits = [(list, visit)]
    _ = try record(step)
  }

  func put(_ visit: Visit, of list: MonitoringListID) throws(DatabaseError) {
    let arrival = visit.arrival?.nanosecondsSince1970
    let departure = visit.departure?.nanosecondsSince1970 ?? (visit.hasEnded ? Self.unknownDeparture : nil)
    let values: [DatabaseValue] = [
      list.value, .real(visit.coordinate.latitude.degrees), .real(visit.coordinate.longitude.degrees),
      .real(visit.horizontalRadius68.value), DatabaseValue(arrival), DatabaseValue(departure),
    ]
    // The current stay is the last row, identified by its arrival.
    try database.run(
      """
      UPDATE visits SET latitude = ?2, longitude = ?3, radius68_m = ?4, departure_ns = ?6
      WHERE number = (SELECT max(number) FROM visits WHERE list = ?1) AND departure_ns IS NULL AND arrival_ns IS ?5
      """, values)
    guard database.changes == 0 else { return }
    try database.run(
      """
      INSERT INTO visits (list, latitude, longitude, radius68_m, arrival_ns, departure_ns) VALUES (?, ?, ?, ?, ?, ?)
      """, values)
    try database.run(
      """
      DELETE FROM visits WHERE list = ?1
        AND number <= (SELECT number FROM visits WHERE list = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
      """, [list.value, .integer(Int64(Self.mostVisits))])
  }

  /// The newest visits of a list, at most `limit`, oldest first; without those that ended before `from`. Skips
  /// malformed rows.
  package func visits(
    of list: MonitoringListID, from: GNSSTime? = nil, limit: Int
  ) throws(DatabaseError) -> [Visit] {
    var statement = try database.prepare(
      """
      SELECT latitude, longitude, radius68_m, arrival_ns, departure_ns FROM visits
      WHERE list = ?1 AND (departure_ns IS NULL OR departure_ns = ?4 OR ?2 IS NULL OR departure_ns >= ?2)
      ORDER BY number DESC LIMIT ?3
      """)
    try statement.bind([
      list.value, DatabaseValue(from?.nanosecondsSince1970), .integer(Int64(limit)), .integer(Self.unknownDeparture),
    ])
    var visits: [Visit] = []
    while try statement.step() {
      guard let latitude = try statement.optionalReal(0), let longitude = try statement.optionalReal(1),
        let radius = try statement.optionalReal(2), radius > 0, radius.isFinite,
        let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
      else { continue }
      let departure = try statement.optionalInteger(4)
      visits.append(
        Visit(
          coordinate: coordinate, horizontalRadius68: Meters(radius),
          arrival: try statement.optionalInteger(3).map { GNSSTime(nanosecondsSince1970: $0) },
          departure: departure == Self.unknownDeparture ? nil : departure.map { GNSSTime(nanosecondsSince1970: $0) },
          hasEnded: departure != nil))
    }
    visits.reverse()
    return visits
  }

  /// Deletes the visits of a list that ended at `from` or later and began at `to` or earlier; returns their number. A
  /// visit that continues is kept: its end would be stored as another visit.
  package func removeVisits(of list: MonitoringListID, from: GNSSTime?, to: GNSSTime?) throws(DatabaseError) -> Int {
    // If the arrival or the departure was not observed, the other time decides.
    try database.run(
      """
      DELETE FROM visits WHERE list = ?1 AND departure_ns IS NOT NULL
        AND (?2 IS NULL OR coalesce(nullif(departure_ns, ?4), arrival_ns, ?2) >= ?2)
        AND (?3 IS NULL OR coalesce(arrival_ns, nullif(departure_ns, ?4), ?3) <= ?3)
      """,
      [
        list.value, DatabaseValue(from?.nanosecondsSince1970), DatabaseValue(to?.nanosecondsSince1970),
        .integer(Self.unknownDeparture),
      ])
    return database.changes
  }

  // MARK: Records

  /// Stores the last reported state of a region, until the region is removed.
  package func setRecord(
    _ list: MonitoringListID, _ identifier: String, _ record: MonitoringRecord
  ) throws(DatabaseError) { try put(record, of: identifier, list) }

  func put(_ record: MonitoringRecord, of identifier: String, _ list: MonitoringListID) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)",
      [
        list.value, .text(identifier), .integer(Int64(record.state.rawValue)),
        DatabaseValue(record.time?.nanosecondsSince1970),
      ])
  }

  /// The last reported state of a region; `nil` if there is none.
  package func record(_ list: MonitoringListID, _ identifier: String) throws(DatabaseError) -> MonitoringRecord? {
    var statement = try database.prepare("SELECT state, time_ns FROM records WHERE list = ? AND identifier = ?")
    try statement.bind([list.value, .text(identifier)])
    return try statement.step() ? try Self.record(statement, 0) : nil
  }

  /// The same for all of a list's regions.
  package func records(_ list: MonitoringListID) throws(DatabaseError) -> [String: MonitoringRecord] {
    var statement = try database.prepare("SELECT identifier, state, time_ns FROM records WHERE list = ?")
    try statement.bind([list.value])
    var records: [String: MonitoringRecord] = [:]
    while try statement.step() { records[try statement.text(0)] = try Self.record(statement, 1) }
    return records
  }

  private static func record(
    _ row: borrowing Statement, _ column: Int
  ) throws(DatabaseError) -> MonitoringRecord? {
    guard let state = UInt8(exactly: try row.integer(column)).flatMap({ RegionState(rawValue: $0) }) else { return nil }
    return MonitoringRecord(
      state: state, time: try row.optionalInteger(column + 1).map { GNSSTime(nanosecondsSince1970: $0) })
  }

  // MARK: Progress

  /// Stores a small state value; `nil` deletes it.
  package func keepProgress(
    _ list: MonitoringListID, _ key: String, _ bytes: [UInt8]?
  ) throws(DatabaseError) { try setProgress(list, key, bytes) }

  func setProgress(_ list: MonitoringListID, _ key: String, _ bytes: [UInt8]?) throws(DatabaseError) {
    if let bytes {
      try database.run("INSERT OR REPLACE INTO progress VALUES (?, ?, ?)", [list.value, .text(key), .blob(bytes)])
    } else {
      try database.run("DELETE FROM progress WHERE list = ? AND key = ?", [list.value, .text(key)])
    }
  }

  /// A small state value; `nil` if none is stored.
  package func progress(_ list: MonitoringListID, _ key: String) throws(DatabaseError) -> [UInt8]? {
    var statement = try database.prepare("SELECT bytes FROM progress WHERE list = ? AND key = ?")
    try statement.bind([list.value, .text(key)])
    return try statement.step() ? try statement.blob(0) : nil
  }
}

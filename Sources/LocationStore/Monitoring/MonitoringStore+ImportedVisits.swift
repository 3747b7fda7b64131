package import Geodesy
package import LocationDatabase
package import LocationPolicy

/// Visits from files of other programs. They belong to an identity and not to a list, because no monitoring depends on
/// them.
extension MonitoringStore {
  /// Times of the same visit in two files differ by at most this, nanoseconds.
  private static let tolerance = Int64(1_000_000_000)
  /// Positions of the same visit differ by at most this in latitude and in longitude, degrees: 110 m at the equator.
  private static let nearby = 0.001

  /// Stores visits that have an arrival and a departure, in one transaction. A visit that is already stored, with the
  /// same times and nearly the same position, is not added again.
  ///
  /// - Returns: the numbers of added visits, of visits that were already stored, and of visits beyond
  ///   `mostImportedVisits`.
  package func importVisits(
    _ visits: [Visit], of identity: ClientIdentity
  ) throws(DatabaseError) -> (added: Int, known: Int, beyond: Int) {
    try database.transaction { () throws(DatabaseError) in
      var counts = (added: 0, known: 0, beyond: 0)
      var stored = try countOfImportedVisits(of: identity)
      for visit in visits {
        guard let arrival = visit.arrival?.nanosecondsSince1970, let departure = visit.departure?.nanosecondsSince1970
        else { continue }
        let values: [DatabaseValue] = [
          .integer(Int64(identity.userID)), .text(identity.realm.text), .real(visit.coordinate.latitude.degrees),
          .real(visit.coordinate.longitude.degrees), DatabaseValue(visit.knownHorizontalRadius68?.value),
          .integer(arrival), .integer(departure),
        ]
        if try isKnown(values) {
          counts.known += 1
        } else if stored >= Self.mostImportedVisits {
          counts.beyond += 1
        } else {
          try database.run(
            """
            INSERT INTO imported_visits (user_id, realm, latitude, longitude, radius68_m, arrival_ns, departure_ns)
              VALUES (?, ?, ?, ?, ?, ?, ?)
            """, values)
          counts.added += 1
          stored += 1
        }
      }
      return counts
    }
  }

  private func isKnown(_ values: [DatabaseValue]) throws(DatabaseError) -> Bool {
    var statement = try database.prepare(
      """
      SELECT 1 FROM imported_visits
      WHERE user_id = ?1 AND realm = ?2 AND abs(latitude - ?3) <= \(Self.nearby) AND abs(longitude - ?4) <= \(Self.nearby)
        AND arrival_ns BETWEEN ?6 - \(Self.tolerance) AND ?6 + \(Self.tolerance)
        AND departure_ns BETWEEN ?7 - \(Self.tolerance) AND ?7 + \(Self.tolerance) LIMIT 1
      """)
    try statement.bind(values)
    return try statement.step()
  }

  private func countOfImportedVisits(of identity: ClientIdentity) throws(DatabaseError) -> Int {
    var statement = try database.prepare("SELECT count(*) FROM imported_visits WHERE user_id = ? AND realm = ?")
    try statement.bind([.integer(Int64(identity.userID)), .text(identity.realm.text)])
    return try statement.step() ? Int(clamping: try statement.integer(0)) : 0
  }

  /// The imported visits of an identity that ended at `from` or later, in the order of arrival, beginning with the one
  /// of this index. `next` is the index for the next call; `nil` if there are no more. Skips malformed rows.
  package func importedVisits(
    of identity: ClientIdentity, from: GNSSTime?, index: Int, limit: Int
  ) throws(DatabaseError) -> (visits: [Visit], next: Int?) {
    var statement = try database.prepare(
      """
      SELECT latitude, longitude, radius68_m, arrival_ns, departure_ns FROM imported_visits
      WHERE user_id = ?1 AND realm = ?2 AND (?3 IS NULL OR departure_ns >= ?3)
      ORDER BY arrival_ns, number LIMIT ?4 OFFSET ?5
      """)
    try statement.bind([
      .integer(Int64(identity.userID)), .text(identity.realm.text), DatabaseValue(from?.nanosecondsSince1970),
      .integer(Int64(limit)), .integer(Int64(index)),
    ])
    var visits: [Visit] = []
    var rows = 0
    while try statement.step() {
      rows += 1
      let radius = try statement.optionalReal(2)
      guard let latitude = try statement.optionalReal(0), let longitude = try statement.optionalReal(1),
        let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude),
        radius.map({ $0 > 0 && $0.isFinite }) ?? true
      else { continue }
      var visit = Visit(
        coordinate: coordinate, horizontalRadius68: radius.map { Meters($0) } ?? PositionFix.greatestRadius68,
        arrival: GNSSTime(nanosecondsSince1970: try statement.integer(3)),
        departure: GNSSTime(nanosecondsSince1970: try statement.integer(4)))
      visit.isImported = true
      visits.append(visit)
    }
    return (visits, rows == limit ? index + rows : nil)
  }

  /// Deletes the imported visits of an identity that ended at `from` or later and began at `to` or earlier; returns
  /// their number.
  package func removeImportedVisits(
    of identity: ClientIdentity, from: GNSSTime?, to: GNSSTime?
  ) throws(DatabaseError) -> Int {
    try database.run(
      """
      DELETE FROM imported_visits WHERE user_id = ?1 AND realm = ?2
        AND (?3 IS NULL OR departure_ns >= ?3) AND (?4 IS NULL OR arrival_ns <= ?4)
      """,
      [
        .integer(Int64(identity.userID)), .text(identity.realm.text), DatabaseValue(from?.nanosecondsSince1970),
        DatabaseValue(to?.nanosecondsSince1970),
      ])
    return database.changes
  }
}

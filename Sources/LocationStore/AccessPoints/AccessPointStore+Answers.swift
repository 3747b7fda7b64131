import Geodesy
package import LocationDatabase
package import Positioning
import WireFormats

/// A provider's answers, stored so that the next process need not request them again.
extension AccessPointStore {
  /// Stores an answer, keeping the newest `limit`. An answer without a time is not stored, because its age would be unknown.
  package func keep(_ answer: CachedGeolocation, limit: Int) throws(DatabaseError) {
    guard let answeredAt = answer.answeredAt else { return }
    let addresses = answer.bssids.flatMap { bssid in
      (0..<6).map { UInt8(truncatingIfNeeded: bssid.rawValue >> UInt64(40 - 8 * $0)) }
    }
    var place: [DatabaseValue] = [.null, .null, .null]
    if case .place(let coordinate, let radius68) = answer.answer, let bssid = answer.bssids.first {
      place = Array(
        Self.row(AccessPointPosition(bssid: bssid, coordinate: coordinate, radius68: radius68)).dropFirst())
    }
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        "INSERT INTO answers VALUES (NULL, ?, ?, ?, ?, ?)",
        [.integer(answeredAt.nanosecondsSince1970 / 1_000_000_000), .blob(addresses)] + place)
      try database.run(
        "DELETE FROM answers WHERE number NOT IN (SELECT number FROM answers ORDER BY number DESC LIMIT ?)",
        [.integer(Int64(limit))])
    }
  }

  /// The newest answers, oldest first; skips malformed rows.
  package func answers(limit: Int) throws(DatabaseError) -> [CachedGeolocation] {
    var statement = try database.prepare(
      """
      SELECT answered_at, bssids, latitude_e7, longitude_e7, radius68_dm FROM answers ORDER BY number DESC LIMIT ?
      """)
    try statement.bind([.integer(Int64(limit))])
    var answers: [CachedGeolocation] = []
    while try statement.step() {
      let bytes = try statement.blob(1)
      let bssids = stride(from: 0, to: bytes.count - bytes.count % 6, by: 6).compactMap {
        BSSID(bytes.span.extracting($0..<$0 + 6))
      }
      guard let first = bssids.first, bssids.count <= GeolocateRequest.mostCount else { continue }
      var answer = GeolocateResponse.notFound
      if let latitude = try statement.optionalInteger(2) {
        guard let longitude = try statement.optionalInteger(3), let radius = try statement.optionalInteger(4),
          let place = Self.place(first, latitude, longitude, radius)
        else { continue }
        answer = .place(place.coordinate, radius68: place.radius68)
      }
      let answeredAt = GNSSTime(nanosecondsSince1970: try statement.integer(0) &* 1_000_000_000)
      answers.append(CachedGeolocation(bssids: bssids, answer: answer, answeredAt: answeredAt))
    }
    return answers.reversed()
  }
}

import Geodesy

/// A trip with its number and the names of its places, as JSON and as a record of a mileage log.
package struct NumberedTrip: Hashable, Sendable {
  /// Counted from 1 in the list.
  package var number: Int
  package var trip: Trip
  /// The names of the regions in which the trip begins and ends; `nil`: there is none.
  package var beginPlace: String?
  package var endPlace: String?

  package init(number: Int, trip: Trip, beginPlace: String? = nil, endPlace: String? = nil) {
    (self.number, self.trip, self.beginPlace, self.endPlace) = (number, trip, beginPlace, endPlace)
  }

  /// The keys in their order, with their values: meters, seconds, meters per second, degrees.
  package var values: [(key: String, value: OutputValue?)] {
    let summary = trip.summary
    func degrees(_ angle: Angle) -> OutputValue? { .number(angle.degrees, decimals: 7) }
    return [
      ("number", .number(number)),
      ("begin", .text(summary.begin.flatMap { Timestamp($0)?.iso8601 })),
      ("end", .text(summary.end.flatMap { Timestamp($0)?.iso8601 })),
      ("duration", .number(trip.duration.inSeconds, decimals: 0)),
      ("distance", .number(summary.distance.value, decimals: 1)),
      ("moving", .number(summary.moving.inSeconds, decimals: 0)),
      ("standing", .number(summary.standing.inSeconds, decimals: 0)),
      ("meanSpeed", .number(summary.meanMovingSpeed, decimals: 2)),
      ("maximumSpeed", .number(summary.maximumSpeed, decimals: 2)),
      ("fixes", .number(summary.fixes)),
      ("beginLatitude", degrees(trip.begin.latitude)), ("beginLongitude", degrees(trip.begin.longitude)),
      ("beginPlace", .text(beginPlace)),
      ("endLatitude", degrees(trip.end.latitude)), ("endLongitude", degrees(trip.end.longitude)),
      ("endPlace", .text(endPlace)),
    ]
  }

  /// The trip as one line of JSON.
  package var jsonLine: [UInt8] {
    var object = JSONObject()
    for (key, value) in values { object.add(key, value) }
    return object.line
  }

  /// Trips as CSV (RFC 4180): a header with the keys, then a record for each trip.
  package static func csv(_ trips: [NumberedTrip]) -> [UInt8] {
    let keys = NumberedTrip.keys
    var bytes = Array("\(keys.joined(separator: ","))\r\n".utf8)
    for trip in trips {
      for (index, value) in trip.values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        CSVText.append(value.value, to: &bytes)
      }
      bytes += "\r\n".utf8
    }
    return bytes
  }

  private static let keys = [
    "number", "begin", "end", "duration", "distance", "moving", "standing", "meanSpeed", "maximumSpeed", "fixes",
    "beginLatitude", "beginLongitude", "beginPlace", "endLatitude", "endLongitude", "endPlace",
  ]
}

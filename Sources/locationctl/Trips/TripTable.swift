import Geodesy
package import TrackFormats

/// Trips for people: a table that fits 80 columns, and a block with all figures of one trip.
package enum TripTable {
  /// Maximum width of the name of a place in the table.
  private static let placeWidth = 18

  package static func table(_ trips: [NumberedTrip]) -> [UInt8] {
    let begins = trips.compactMap { trip in
      trip.trip.summary.begin.flatMap { TimeText.minute($0, .ofReports) }
    }
    // The zone is in the title if it is the same for all trips.
    let zones = Set(begins.map(\.zone))
    let zone = zones.count == 1 ? zones.first : nil
    let rows = trips.map { trip in
      let begin = trip.trip.summary.begin.flatMap { TimeText.minute($0, .ofReports) }
      return [
        String(trip.number), begin.map { zone == nil ? "\($0.text) \($0.zone)" : $0.text } ?? "-",
        TrackReport.time(trip.trip.duration), TrackReport.length(trip.trip.summary.distance),
        shortened(place(trip.beginPlace, trip.trip.begin)), shortened(place(trip.endPlace, trip.trip.end)),
      ]
    }
    return TextTable.aligned([["#", zone.map { "BEGIN (\($0))" } ?? "BEGIN", "TIME", "DISTANCE", "FROM", "TO"]] + rows)
  }

  package static func block(_ trip: NumberedTrip, _ look: Presentation = .ofFixes) -> [UInt8] {
    let summary = trip.trip.summary
    var rows = [("Trip", String(trip.number))]
    if let begin = summary.begin, let end = summary.end {
      rows.append(("Begin", "\(TrackReport.local(begin)), \(place(trip.beginPlace, trip.trip.begin))"))
      rows.append(("End", "\(TrackReport.local(end)), \(place(trip.endPlace, trip.trip.end))"))
    }
    rows.append(("Distance", TrackReport.length(summary.distance)))
    rows.append(("Time", TrackReport.time(trip.trip.duration)))
    rows.append(("Moving", TrackReport.time(summary.moving)))
    rows.append(("Standing", TrackReport.time(summary.standing)))
    if let speed = TrackReport.speed(summary) { rows.append(("Speed", speed)) }
    return TrackReport.lines(rows, look)
  }

  private static func place(_ name: String?, _ coordinate: Coordinate) -> String {
    name.map { TerminalText.sanitized($0) }
      ?? [coordinate.latitude, coordinate.longitude].map { FixedDecimal.text($0.degrees, decimals: 5) ?? "?" }
      .joined(separator: ",")
  }

  private static func shortened(_ place: String) -> String {
    place.count <= placeWidth ? place : place.prefix(placeWidth - 1) + "…"
  }
}

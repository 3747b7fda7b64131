package import FleetDestinations
package import Geodesy
import TrackFormats

/// Traccar's protocol OsmAnd (org.traccar.protocol.OsmAndProtocolDecoder): a position in the query of a request.
package enum OsmAndQuery {
  /// Knots in a meter per second: 3600 / 1852.
  private static let knots = 3600.0 / 1852

  /// The query that is appended to a path, which may have one already, with the device's `id`.
  package static func path(
    _ fix: PositionFix, identifier: String, to path: String, _ settings: FleetSettings, _ context: FleetContext?
  ) -> String {
    var items: [(String, String)] = []
    func add(_ key: String, _ number: FixedDecimal?) { if let number { items.append((key, number.text)) } }
    if !hasID(path) { items.append(("id", settings.device)) }
    items.append(("timestamp", "\(fix.time.secondsAndNanoseconds.seconds)"))
    add("lat", FixedDecimal(fix.coordinate.latitude.degrees, decimals: 7))
    add("lon", FixedDecimal(fix.coordinate.longitude.degrees, decimals: 7))
    add("accuracy", FixedDecimal(fix.horizontalRadius68.value, decimals: 1, minimum: 0))
    if fix.kind.hasHeight {
      add("altitude", fix.heightAboveMeanSeaLevel.flatMap { FixedDecimal($0.value, decimals: 1, minimum: 0) })
    }
    add("speed", fix.speedMetersPerSecond.flatMap { FixedDecimal($0 * Self.knots, decimals: 2, minimum: 0) })
    add("bearing", fix.course.flatMap { FixedDecimal(direction: $0.degrees, decimals: 0) })
    add("hdop", fix.hdop.flatMap { FixedDecimal($0, decimals: 2, minimum: 0) })
    add("batt", context?.battery.map { FixedDecimal($0) })
    items.append(("valid", "true"))
    items.append(("seq", identifier))
    let query = items.map { "\($0)=\($1)" }.joined(separator: "&")
    return path + (path.contains("?") ? (path.hasSuffix("?") || path.hasSuffix("&") ? "" : "&") : "?") + query
  }

  private static func hasID(_ path: String) -> Bool {
    guard let query = path.split(separator: "?", maxSplits: 1).dropFirst().first else { return false }
    return query.split(separator: "&").contains { $0.hasPrefix("id=") || $0.hasPrefix("deviceid=") }
  }
}

/// Overland's batches (https://github.com/aaronpk/Overland-iOS, "API"): GeoJSON features in a list `locations`.
package enum OverlandBatch {
  /// The most positions of a batch.
  package static let longest = 100

  package static func body(_ records: [FleetRecord], _ settings: FleetSettings, _ context: FleetContext?) -> [UInt8] {
    let features = records.compactMap { record -> JSONObject? in
      guard case .fix(let fix) = record.content else { return nil }
      return feature(fix, identifier: record.identifier, settings, record == records.last ? context : nil)
    }
    var object = JSONObject()
    object.add("locations", rawValue: JSONObject.list(features))
    return object.closed
  }

  private static func feature(
    _ fix: PositionFix, identifier: String, _ settings: FleetSettings, _ context: FleetContext?
  ) -> JSONObject {
    var geometry = JSONObject()
    geometry.add("type", .text("Point"))
    func text(_ angle: Angle) -> String { FixedDecimal(angle.degrees, decimals: 7)?.text ?? "0" }
    geometry.add(
      "coordinates",
      rawValue: Array("[\(text(fix.coordinate.longitude)),\(text(fix.coordinate.latitude))]".utf8))
    var properties = JSONObject()
    // ISO 8601 without fractions, which not every receiver reads.
    properties.add("timestamp", .text(Timestamp(fix.time).map { String($0.iso8601.prefix(19)) + "Z" }))
    properties.add("horizontal_accuracy", .number(Int(up: fix.horizontalRadius68)))
    if fix.kind.hasHeight, let height = fix.heightAboveMeanSeaLevel {
      properties.add("altitude", .number(height.value, decimals: 0))
      properties.add("vertical_accuracy", .number(fix.verticalRadius68.map { Int(up: $0) }))
    }
    // Meters per second, and degrees.
    properties.add("speed", .number(fix.speedMetersPerSecond, decimals: 2, minimum: 0))
    if let course = fix.course, let degrees = FixedDecimal(direction: course.degrees, decimals: 0) {
      properties.add("course", .number(degrees))
    }
    // 0…1, not percent.
    properties.add("battery_level", .number(context?.battery.map { Double($0) / 100 }, decimals: 2, minimum: 0))
    properties.add("device_id", .text(settings.device))
    properties.add("unique_id", .text(identifier))
    var feature = JSONObject()
    feature.add("type", .text("Feature"))
    feature.add("geometry", rawValue: geometry.closed)
    feature.add("properties", rawValue: properties.closed)
    return feature
  }
}

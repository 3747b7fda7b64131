import Geodesy

/// A track as a GeoJSON FeatureCollection (RFC 7946): lines, the third coordinate above the ellipsoid.
///
/// A segment is a LineString, or several if it is long (`TrackDocument.maximumRun`) or crosses the meridian of 180°,
/// where it is cut (§3.1.9); each begins where the one before ended, and all of one segment have its number. A single
/// fix in its segment is a Point. Properties: `segment`, `interruption`, `geoid` (the model, if a height was computed
/// with it), `timestamp` (of a Point), `coordTimes` (a time for each position, as in toGeoJSON), and a list for each
/// key of `TrackColumns` for which any fix has a value, `null` for a fix without one. The position of a cut has neither
/// time nor values, because it is not a fix. Before the lines, each note is a Point with the properties `note`,
/// `timestamp` and `horizontalAccuracy`. With places, a run has the list `places`, and the document the notices that their licenses
/// require, as the list `attribution`.
struct GeoJSONTrackEncoder: TrackEncoder {
  private struct End: Sendable {
    let located: LocatedFix
    let position: CoordinateText
  }
  private let notes: [TrackNote]
  private let hasPlaces: Bool
  /// The place of each position of the run.
  private var places: [OutputValue?] = []
  private var hasFeature = false
  private var segment = 0
  private var reason: TrackInterruption?
  private var last: End?
  /// The positions of the run, joined by commas, and their times.
  private var coordinates: [UInt8] = []
  private var times: [OutputValue?] = []
  private var columns = TrackColumns()
  private var isMadeByGeoid = false

  init(notes: [TrackNote] = [], hasPlaces: Bool = false) { (self.notes, self.hasPlaces) = (notes, hasPlaces) }

  mutating func start(to bytes: inout [UInt8]) {
    bytes += "{\"schema\":\(JSONObject.schema),\"type\":\"FeatureCollection\",\"features\":[".utf8
    for note in notes {
      guard let position = CoordinateText(note.coordinate) else { continue }
      var coordinates: [UInt8] = []
      GeoJSONFormat.append(position, height: FixHeights(note).aboveEllipsoid, to: &coordinates)
      var geometry = JSONObject()
      geometry.add("type", .text("Point"))
      geometry.add("coordinates", rawValue: coordinates)
      var properties = JSONObject()
      properties.add("note", .text(note.text))
      properties.add("timestamp", .text(Timestamp(note.time)?.iso8601))
      properties.add("horizontalAccuracy", .meters(note.horizontalRadius68.value))
      bytes += (hasFeature ? ",\n" : "\n").utf8
      hasFeature = true
      bytes += GeoJSONFormat.feature(geometry: geometry.closed, properties: properties.closed).dropLast()
    }
  }

  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8]) {
    segment += 1
    self.reason = reason
    last = nil
  }

  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8]) {
    if let last {
      if let crossing = DateLineCrossing(from: last.position.coordinate, to: position.coordinate) {
        cut(at: crossing, between: last.located, and: located, to: &bytes)
      } else if columns.count >= TrackDocument.maximumRun {
        endRun(to: &bytes)
        add(last.located, at: last.position)
      }
    }
    add(located, at: position)
    last = End(located: located, position: position)
  }

  mutating func endSegment(to bytes: inout [UInt8]) { endRun(to: &bytes) }

  mutating func end(to bytes: inout [UInt8]) { bytes += "\n]}\n".utf8 }

  mutating func end(attributions: [String], to bytes: inout [UInt8]) {
    guard !attributions.isEmpty else { return end(to: &bytes) }
    bytes += "\n],\"attribution\":".utf8
    JSONObject.append(.list(attributions), to: &bytes)
    bytes += "}\n".utf8
  }

  private mutating func add(_ located: LocatedFix, at position: CoordinateText) {
    let heights = located.heights
    appendPosition { GeoJSONFormat.append(position, height: heights.aboveEllipsoid, to: &$0) }
    times.append(.text(Timestamp(located.fix.time)?.iso8601))
    columns.append(located)
    places.append(.text(located.place))
    if heights.isModelled, located.ellipsoidalAltitude == nil { isMadeByGeoid = true }
  }

  /// Ends the run on the meridian of 180° and begins the next one on the other side.
  private mutating func cut(
    at crossing: DateLineCrossing, between first: LocatedFix, and second: LocatedFix, to bytes: inout [UInt8]
  ) {
    var height: Double?
    if let below = first.heights.aboveEllipsoid, let above = second.heights.aboveEllipsoid {
      height = below + crossing.share * (above - below)
    }
    for side in [crossing.side, -crossing.side] {
      if side != crossing.side { endRun(to: &bytes) }
      guard let longitude = FixedDecimal(side, decimals: 7),
        let latitude = FixedDecimal(crossing.latitude, decimals: 9, minimum: 7)
      else { continue }
      appendPosition { GeoJSONFormat.append(longitude: longitude, latitude: latitude, height: height, to: &$0) }
      times.append(nil)
      columns.append(nil)
      places.append(nil)
    }
  }

  private mutating func appendPosition(_ append: (inout [UInt8]) -> Void) {
    if !coordinates.isEmpty { coordinates.append(UInt8(ascii: ",")) }
    append(&coordinates)
  }

  private mutating func endRun(to bytes: inout [UInt8]) {
    guard columns.count > 0 else { return }
    var geometry = JSONObject()
    geometry.add("type", .text(columns.count == 1 ? "Point" : "LineString"))
    geometry.add("coordinates", rawValue: columns.count == 1 ? coordinates : Self.bracketed(coordinates))
    var properties = JSONObject()
    properties.add("segment", .number(segment))
    properties.add("interruption", .text(reason?.name))
    if isMadeByGeoid { properties.add("geoid", .text(Geoid.name)) }
    if columns.count == 1 { properties.add("timestamp", times.first ?? nil) }
    properties.add("coordTimes", rawValue: Self.list(times))
    for (key, values) in columns.known { properties.add(key.rawValue, rawValue: Self.list(values)) }
    if hasPlaces { properties.add("places", rawValue: Self.list(places)) }
    bytes += (hasFeature ? ",\n" : "\n").utf8
    hasFeature = true
    bytes += GeoJSONFormat.feature(geometry: geometry.closed, properties: properties.closed).dropLast()
    coordinates.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    columns.removeAll()
    places.removeAll(keepingCapacity: true)
    isMadeByGeoid = false
    reason = nil
  }

  private static func list(_ values: [OutputValue?]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      if let value { JSONObject.append(value, to: &bytes) } else { bytes += "null".utf8 }
    }
    return bracketed(bytes)
  }

  private static func bracketed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]
  }
}

/// The point where a line between two positions crosses the meridian of 180°.
struct DateLineCrossing: Hashable, Sendable {
  /// The latitude of the crossing, degrees, north positive.
  let latitude: Double
  /// −180 or 180 degrees: the side that the line comes from.
  let side: Double
  /// The share of the line before the crossing, 0…1.
  let share: Double

  /// The crossing, or `nil` if the shorter way between the positions has none. It is computed on the straight line in degrees,
  /// which is the line that GeoJSON defines (RFC 7946 §3.1.1).
  init?(from first: Coordinate, to second: Coordinate) {
    let step = second.longitude.degrees - first.longitude.degrees
    guard step.magnitude > 180 else { return nil }
    // Eastwards across the meridian the longitude decreases, by more than half a turn.
    side = step < 0 ? 180 : -180
    let way = step < 0 ? step + 360 : step - 360
    share = way == 0 ? 0 : min(max((side - first.longitude.degrees) / way, 0), 1)
    latitude = first.latitude.degrees + share * (second.latitude.degrees - first.latitude.degrees)
  }
}

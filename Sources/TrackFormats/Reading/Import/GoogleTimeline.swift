import Geodesy

/// A position of Google's location history: of `Records.json` (locationhistoryformat.com/reference/records) or of `rawSignals`.
///
/// `latitudeE7` and `longitudeE7` are 10⁻⁷ degrees, `accuracy` is a radius in meters, `velocity` in m/s, and `altitude` above the
/// ellipsoid, as Android's `Location.getAltitude`. Newer files have `timestamp` (ISO 8601), older ones `timestampMs`.
struct GoogleRecord: Sendable {
  private(set) var position = ImportedPosition()
  /// Longer silences are interruptions: a phone at rest sends a position every few minutes.
  private static let longestGap: Duration = .seconds(3600)

  mutating func set(_ key: String, _ value: JSONToken) {
    switch key {
    case "timestamp": position.time = Self.time(value)
    case "timestampMs": position.time = Self.number(value).flatMap { ImportedTime.parse(sinceEpoch: $0) }
    case "latitudeE7", "latE7": position.latitude = Self.number(value).map { $0 / 1e7 }
    case "longitudeE7", "lngE7": position.longitude = Self.number(value).map { $0 / 1e7 }
    case "LatLng", "latLng":
      guard let place = Self.place(value) else { return }
      (position.latitude, position.longitude) = (place.latitude.degrees, place.longitude.degrees)
    case "accuracy", "accuracyMeters": position.horizontalRadius = Self.number(value)
    case "altitude", "altitudeMeters": position.heightAboveEllipsoid = Self.number(value)
    case "verticalAccuracy": position.verticalRadius = Self.number(value)
    case "velocity", "speedMetersPerSecond": position.speed = Self.number(value)
    case "heading": position.course = Self.number(value)
    case "source": if case .text(let name) = value { position.technologies.add(named: name) }
    default: break
    }
  }

  func report(_ output: inout ImportOutput) {
    if let end = output.summary.end, let time = position.time, time - end > Self.longestGap { output.interrupt() }
    output.add(position)
  }

  // MARK: Values

  /// A number, or the number in a text: the export of an iPhone has only texts.
  static func number(_ value: JSONToken) -> Double? {
    switch value {
    case .number(let number): number.isFinite ? number : nil
    case .text(let text): ImportedNumber.parse(text)
    case _: nil
    }
  }

  static func time(_ value: JSONToken) -> GNSSTime? {
    switch value {
    case .number(let number): ImportedTime.parse(sinceEpoch: number)
    case .text(let text): ImportedTime.parse(text)
    case _: nil
    }
  }

  /// `geo:50.1,8.6` of an iPhone, and `50.1°, 8.6°` of an Android phone.
  static func place(_ value: JSONToken) -> Coordinate? {
    guard case .text(let text) = value else { return nil }
    let numbers = (text.hasPrefix("geo:") ? text.dropFirst(4) : text[...]).substituting("°", with: "")
      .split(separator: ",", omittingEmptySubsequences: false).map { ImportedNumber.parse(String($0)) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
    return Coordinate(checkingLatitude: latitude, longitude: longitude)
  }
}

/// A stay or a movement of Google's Timeline.
///
/// A phone writes it as an object with `startTime`, `endTime`, and `visit`, `activity` or `timelinePath`; the points of a path have a
/// `time`, or `durationMinutesOffsetFromStartTime` on an iPhone (github.com/nabedroid/google-timeline-viewer describes it). Takeout
/// writes `placeVisit` or `activitySegment` with a `duration` (locationhistoryformat.com/reference/semantic). Points without a time,
/// such as `waypoints`, are not used.
struct GoogleSegment: Sendable {
  enum Place: Hashable, Sendable { case visit, start, end }

  /// The most points of a segment: Google writes a segment for every two hours.
  private static let mostPoints = 100_000

  private var start: GNSSTime?
  private var end: GNSSTime?
  private var places: [Place: ImportedPosition] = [:]
  private var points: [(position: ImportedPosition, minutes: Double?)] = []
  private var point: (position: GoogleRecord, minutes: Double?) = (GoogleRecord(), nil)
  /// The level of the visit in the hierarchy of places; above zero, it is a visit to a part of another visit's place.
  var level = 0.0
  var hasVisit = false
  var hasActivity = false
  var hasPath = false

  var isKnown: Bool { hasVisit || hasActivity || hasPath }

  mutating func set(_ key: String, _ value: JSONToken) {
    switch key {
    case "startTime", "startTimestamp", "startTimestampMs": start = GoogleRecord.time(value)
    case "endTime", "endTimestamp", "endTimestampMs": end = GoogleRecord.time(value)
    default: break
    }
  }

  /// Sets a place that is a text.
  mutating func set(_ place: Place, _ value: JSONToken) {
    guard let coordinate = GoogleRecord.place(value) else { return }
    places[place, default: ImportedPosition()].latitude = coordinate.latitude.degrees
    places[place, default: ImportedPosition()].longitude = coordinate.longitude.degrees
  }

  /// Sets a member of a place that is an object.
  mutating func set(_ place: Place, _ key: String, _ value: JSONToken) {
    switch key {
    case "latitudeE7": places[place, default: ImportedPosition()].latitude = GoogleRecord.number(value).map { $0 / 1e7 }
    case "longitudeE7":
      places[place, default: ImportedPosition()].longitude = GoogleRecord.number(value).map { $0 / 1e7 }
    case "accuracyMetres": places[place, default: ImportedPosition()].horizontalRadius = GoogleRecord.number(value)
    case "latLng": set(place, value)
    default: break
    }
  }

  // MARK: Points

  mutating func beginPoint() { point = (GoogleRecord(), nil) }

  mutating func setPoint(_ key: String, _ value: JSONToken) {
    switch key {
    case "point": point.position.set("latLng", value)
    case "time": point.position.set("timestamp", value)
    case "durationMinutesOffsetFromStartTime": point.minutes = GoogleRecord.number(value)
    case _: point.position.set(key, value)
    }
  }

  mutating func endPoint() throws(TrackImportError) {
    guard points.count < Self.mostPoints else { throw .tooMany(most: Self.mostPoints) }
    points.append((point.position.position, point.minutes))
  }

  // MARK: The end

  func report(_ output: inout ImportOutput) {
    guard isKnown else { return }
    if hasVisit, level == 0 {
      let place = places[.visit]
      output.addVisit(at: place?.coordinate, radius: place?.horizontalRadius, from: start, to: end)
    }
    guard hasActivity || hasPath else { return }
    output.interrupt()
    if var first = places[.start], hasActivity {
      first.time = start
      output.add(first)
    }
    for (point, minutes) in points {
      var point = point
      if point.time == nil, let start, let minutes, minutes.magnitude < 1e6 {
        point.time = start + .seconds(minutes * 60)
      }
      output.add(point)
    }
    if var last = places[.end], hasActivity {
      last.time = end
      output.add(last)
    }
    output.interrupt()
  }
}

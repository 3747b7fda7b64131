import Geodesy

/// A feature of GeoJSON (RFC 7946): a line with a time for each position, or a point with a time.
///
/// The times of a line are in the property `coordTimes` (github.com/mapbox/togeojson) or `times`, or in `times` of
/// `coordinateProperties` (github.com/placemark/togeojson), nested like the coordinates. Other lists with as many
/// elements contain the values for a JSON key of `locationctl fix`, as in `log export --format geojson`. The third
/// coordinate is above the ellipsoid (§3.1.1).
struct GeoJSONTrackFeature: Sendable {
  /// The most positions of one feature; it may have twelve times as many values.
  static let most = 2_000_000
  private static let timeKeys: Set = ["coordTimes", "times"]
  private static let pointTimeKeys: Set = ["time", "timestamp", "datetime", "when"]
  private static let shapes: Set = ["Point", "MultiPoint", "LineString", "MultiLineString"]
  private static let areas: Set = ["Polygon", "MultiPolygon", "GeometryCollection"]

  private var type: String?
  /// The numbers of the positions, three each; NaN: none.
  private var numbers: [Double] = []
  private var current: (Double, Double, Double)?
  private var count = 0
  /// The indexes of positions that begin another line.
  private var beginnings: [Int] = []
  private var times: [GNSSTime?] = []
  private var columns: [String: [Double?]] = [:]
  private var texts: [String: [String?]] = [:]
  private var values = 0
  private var time: GNSSTime?
  private var properties = ImportedPosition()
  /// Whether the outermost object is a feature or a geometry of its own.
  private(set) var isDocument = false

  mutating func set(type: String) {
    if Self.shapes.contains(type) || Self.areas.contains(type) { self.type = type }
    isDocument = isDocument || type == "Feature" || self.type != nil
  }

  // MARK: Coordinates

  mutating func startList() throws(TrackImportError) {
    (current, count) = ((.nan, .nan, .nan), 0)
    guard numbers.count < 3 * Self.most else { throw .tooMany(most: Self.most) }
  }

  mutating func number(_ number: Double) {
    switch count {
    case 0: current?.0 = number
    case 1: current?.1 = number
    case 2: current?.2 = number
    default: break
    }
    count += 1
  }

  mutating func endList() {
    guard let position = current, count > 0 else {
      // The end of a list of positions, or of a list of lines.
      current = nil
      beginnings.append(numbers.count / 3)
      return
    }
    numbers += [position.0, position.1, position.2]
    (current, count) = (nil, 0)
  }

  // MARK: Properties

  mutating func value(_ value: JSONToken, of name: String) throws(TrackImportError) {
    guard values < 12 * Self.most else { throw .tooMany(most: Self.most) }
    values += 1
    if Self.timeKeys.contains(name) { return times.append(GoogleRecord.time(value)) }
    guard let key = FixKey(rawValue: name) else { return }
    switch key {
    case .fix, .suspect:
      let text: String? = if case .text(let text) = value { text } else { nil }
      texts[name, default: []].append(text)
    case .simulated: texts[name, default: []].append(value == .flag(true) ? "true" : nil)
    case _: columns[name, default: []].append(GoogleRecord.number(value))
    }
  }

  mutating func property(_ key: String, _ value: JSONToken) {
    if Self.pointTimeKeys.contains(key) { return time = GoogleRecord.time(value) ?? time }
    switch value {
    case .number(let number):
      if key == "accuracy" { properties.horizontalRadius = number } else { properties.set(key, number) }
    case .text(let text): properties.set(key, text: text)
    case .flag(let flag): properties.set(key, text: flag ? "true" : "false")
    case _: break
    }
  }

  // MARK: The end

  func report(_ output: inout ImportOutput) {
    guard let type, Self.shapes.contains(type) else { return }
    output.interrupt()
    let positions = numbers.count / 3
    for index in 0..<positions {
      if beginnings.contains(at: index) { output.interrupt() }
      var position = type == "Point" ? properties : ImportedPosition()
      position.longitude = numbers[3 * index]
      position.latitude = numbers[3 * index + 1]
      let height = numbers[3 * index + 2]
      position.heightAboveEllipsoid = height.isNaN ? nil : height
      position.time = times.count == positions ? times[index] : type == "Point" ? time : nil
      for (key, values) in columns where values.count == positions { position.set(key, values[index]) }
      for (key, values) in texts where values.count == positions {
        if let text = values[index] { position.set(key, text: text) }
      }
      output.add(position)
    }
    output.interrupt()
  }
}

extension [Int] {
  /// Whether an ascending list contains `number`.
  fileprivate func contains(at number: Int) -> Bool {
    let index = partitioningIndex { $0 >= number }
    return index < count && self[index] == number
  }
}

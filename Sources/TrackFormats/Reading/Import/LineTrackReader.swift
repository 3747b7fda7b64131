import Geodesy
import WireFormats

/// Reads a file of lines. A line that is too long is skipped.
struct LineTrackReader<Rows: TrackRows>: TrackFileReader {
  /// The longest line that is kept, bytes.
  private static var longest: Int { 65_536 }

  private var rows: Rows
  private var line: [UInt8] = []
  private var isTooLong = false

  init(_ rows: Rows) { self.rows = rows }

  mutating func receive(_ bytes: Span<UInt8>, _ output: inout ImportOutput) throws(TrackImportError) {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == 0x0A {
        try endLine(&output)
      } else if line.count < Self.longest {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
  }

  mutating func finish(_ output: inout ImportOutput) throws(TrackImportError) {
    if !line.isEmpty { try endLine(&output) }
    try rows.finish()
  }

  private mutating func endLine(_ output: inout ImportOutput) throws(TrackImportError) {
    defer {
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    guard !isTooLong else { return output.skip(.unreadable) }
    while line.last == 0x0D || line.last == 0x20 { line.removeLast() }
    guard !line.isEmpty else { return }
    try rows.receive(line[...], &output)
  }
}

/// The meaning of the lines of a file.
protocol TrackRows: Sendable {
  mutating func receive(_ line: ArraySlice<UInt8>, _ output: inout ImportOutput) throws(TrackImportError)
  func finish() throws(TrackImportError)
}

/// CSV with a header: GPSLogger for Android, and `log export --format csv`.
///
/// GPSLogger (github.com/mendhak/gpslogger, CSVFileLogger.java) writes `time` in UTC, `elevation` from `Location.getAltitude` of
/// Android, which is above the WGS 84 ellipsoid, `accuracy` as a 68 % radius (`Location.getAccuracy`), `bearing` in degrees and
/// `speed` in m/s.
struct CSVTrackRows: TrackRows {
  private static let mostColumns = 128

  private enum Column: Hashable {
    case time, latitude, longitude
    case heightAboveEllipsoid, heightAboveMeanSeaLevel, geoidSeparation
    case accuracy, course, satellites, provider
    case segment
    /// A key of `locationctl fix`.
    case key(String)
  }

  private var columns: [Column?]?
  private var segment: ArraySlice<UInt8>?

  static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    guard let columns = columns(of: line) else { return false }
    return columns.contains(.latitude) && columns.contains(.longitude)
  }

  private static func columns(of line: ArraySlice<UInt8>) -> [Column?]? {
    var line = line
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    while line.last == 0x0D { line.removeLast() }
    guard let fields = try? CSVFields.split(line, atMost: mostColumns) else { return nil }
    return fields.map { column(named: String(decoding: $0, as: UTF8.self)) }
  }

  private static func column(named name: String) -> Column? {
    switch name.lowercased() {
    case "time", "timestamp", "datetime", "date time": return .time
    case "lat", "latitude": return .latitude
    case "lon", "lng", "long", "longitude": return .longitude
    case "elevation", "ellipsoidalaltitude": return .heightAboveEllipsoid
    case "altitude": return .heightAboveMeanSeaLevel
    case "geoidheight", "geoidseparation": return .geoidSeparation
    case "accuracy": return .accuracy
    case "bearing": return .course
    case "satellites": return .satellites
    case "provider": return .provider
    case "segment": return .segment
    default: return FixKey(rawValue: name).map { .key($0.rawValue) }
    }
  }

  mutating func receive(_ line: ArraySlice<UInt8>, _ output: inout ImportOutput) throws(TrackImportError) {
    guard let columns else {
      let found = Self.columns(of: line) ?? []
      guard found.contains(.latitude) else { throw .missingColumn("latitude") }
      guard found.contains(.longitude) else { throw .missingColumn("longitude") }
      guard found.contains(.time) else { throw .missingColumn("time") }
      return columns = found
    }
    guard let fields = try? CSVFields.split(line, atMost: Self.mostColumns) else { return output.skip(.unreadable) }
    var position = ImportedPosition()
    for (column, field) in zip(columns, fields) {
      guard let column, !field.isEmpty else { continue }
      switch column {
      case .time: position.time = ImportedTime.parse(String(decoding: field, as: UTF8.self))
      case .latitude: position.latitude = CSVFields.number(field)
      case .longitude: position.longitude = CSVFields.number(field)
      case .heightAboveEllipsoid: position.heightAboveEllipsoid = CSVFields.number(field)
      case .heightAboveMeanSeaLevel: position.heightAboveMeanSeaLevel = CSVFields.number(field)
      case .geoidSeparation: position.geoidSeparation = CSVFields.number(field)
      case .accuracy: position.horizontalRadius = CSVFields.number(field)
      case .course: position.course = CSVFields.number(field)
      case .satellites: position.satellites = CSVFields.number(field).flatMap { Int(exactly: $0) }
      case .provider: position.technologies.add(named: String(decoding: field, as: UTF8.self))
      case .segment:
        if segment.map({ !$0.elementsEqual(field) }) ?? false { output.interrupt() }
        segment = field
      case .key(let key): position.set(key, text: String(decoding: field, as: UTF8.self))
      }
    }
    output.add(position)
  }

  func finish() throws(TrackImportError) {
    guard columns != nil else { throw .unknownFormat }
  }
}

/// The Recorder of OwnTracks (github.com/owntracks/recorder, the page "Storage"): a time, the kind of record and the message in JSON,
/// separated by tabs. In a message of the type `location` (owntracks.org/booklet/tech/json), `tst` counts seconds since 1970, `acc`
/// and `vac` are radii in meters, `alt` is above sea level, `vel` in km/h, and `cog` in degrees.
struct OwnTracksRows: TrackRows {
  /// Longer silences are interruptions: the app sends positions only when the device moves.
  private static let longestGap: Duration = .seconds(3600)

  private var last: ImportedPosition?

  static func isRow(_ line: ArraySlice<UInt8>) -> Bool {
    guard let message = message(in: line) else { return false }
    return message.first == UInt8(ascii: "{")
      && DateTimeText.parse(String(decoding: line.prefix { $0 != 0x09 }, as: UTF8.self)) != nil
  }

  /// What follows the second tab.
  private static func message(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = line.firstIndex(of: 0x09), let second = line[(first + 1)...].firstIndex(of: 0x09) else {
      return nil
    }
    return line[(second + 1)...]
  }

  mutating func receive(_ line: ArraySlice<UInt8>, _ output: inout ImportOutput) throws(TrackImportError) {
    guard let message = Self.message(in: line) else { return output.skip(.unreadable) }
    var position = ImportedPosition()
    var (key, type): (String, String?) = ("", nil)
    var tokenizer = JSONTokenizer()
    var offset = 0
    let bytes = Array(message)
    do throws(JSONProblem) {
      while let token = try tokenizer.next(in: bytes.span, at: &offset) {
        switch token {
        case .key(let name) where tokenizer.depth == 1: key = name
        case .text(let text) where tokenizer.depth == 1 && key == "_type": type = text
        case .number(let number) where tokenizer.depth == 1: Self.set(key, number, of: &position)
        case _: break
        }
      }
      try tokenizer.finish()
    } catch {
      return output.skip(.unreadable)
    }
    guard type == "location" else { return output.skip(.notLocation) }
    if let before = last?.time, let time = position.time, time - before > Self.longestGap { output.interrupt() }
    last = position
    output.add(position)
  }

  private static func set(_ key: String, _ number: Double, of position: inout ImportedPosition) {
    switch key {
    case "tst": position.time = ImportedTime.parse(sinceEpoch: number)
    case "lat": position.latitude = number
    case "lon": position.longitude = number
    case "acc": position.horizontalRadius = number
    case "alt": position.heightAboveMeanSeaLevel = number
    case "vac": position.verticalRadius = number
    case "vel": position.speed = number / 3.6
    case "cog": position.course = number
    default: break
    }
  }

  func finish() throws(TrackImportError) {}
}

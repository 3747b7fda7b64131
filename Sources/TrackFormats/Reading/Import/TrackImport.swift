package import Geodesy
package import LocationPolicy

/// Converts a file of another program to positions and visits, as its bytes arrive. Its memory does not depend on the size of the
/// file. Points that cannot be used are counted by the reason.
///
/// After an error, none of the earlier results should be used: read a file to its end before anything of it is stored.
package struct TrackImport: Sendable {
  private let chosen: ImportFormat?
  private var reader: (any TrackFileReader)?
  /// The bytes before the format is known.
  private var first: [UInt8] = []
  private var output: ImportOutput
  /// The format; `nil` until it is known.
  package private(set) var format: ImportFormat?

  /// - Parameters:
  ///   - format: the format; `nil`: it is detected from the contents.
  ///   - latest: points and visits with a later time are skipped as wrong; `nil`: there is no limit.
  package init(_ format: ImportFormat? = nil, latest: GNSSTime? = nil) {
    chosen = format
    output = ImportOutput(latest: latest)
  }

  /// What was found so far.
  package var summary: ImportSummary { output.summary }

  /// Receives the next bytes, of any number; returns the items that are complete.
  package mutating func receive(_ bytes: Span<UInt8>) throws(TrackImportError) -> [ImportedItem] {
    if reader == nil {
      for index in bytes.indices { first.append(bytes[index]) }
      try begin(isWhole: false)
    } else {
      try reader?.receive(bytes, &output)
    }
    return output.takeItems()
  }

  /// Call this after the last byte.
  package mutating func finish() throws(TrackImportError) -> [ImportedItem] {
    if reader == nil { try begin(isWhole: true) }
    try reader?.finish(&output)
    let summary = output.summary
    // The file is a drawn line or a planned route.
    if summary.points == 0, summary.visits == 0, summary.untimed > 0, summary.untimed == summary.skippedPoints {
      throw .noTimes
    }
    return output.takeItems()
  }

  private mutating func begin(isWhole: Bool) throws(TrackImportError) {
    let found: ImportFormat? = if let chosen { chosen } else { try ImportFormat(first: first, isWhole: isWhole) }
    guard let format = found else { return }
    self.format = format
    reader =
      switch format {
      case .gpx, .kml: XMLTrackReader(format)
      case .geojson, .google: JSONTrackReader()
      case .nmea: NMEATrackReader()
      case .csv: LineTrackReader(CSVTrackRows())
      case .owntracks: LineTrackReader(OwnTracksRows())
      }
    let bytes = first
    first = []
    try reader?.receive(bytes.span, &output)
  }
}

/// Something in a file of another program.
package enum ImportedItem: Hashable, Sendable {
  /// The next fix is not connected to the one before.
  case interruption
  case fix(PositionFix)
  case visit(Visit)
}

/// What an import has found.
package struct ImportSummary: Hashable, Sendable {
  /// Why a point is not imported.
  package enum Reason: Int, Hashable, Sendable, CaseIterable {
    case noTime, noPosition, noFix, wrongTime, notLocation, unreadable
  }

  package internal(set) var points = 0
  package internal(set) var visits = 0
  package internal(set) var skipped: [Reason: Int] = [:]
  /// The earliest and the latest time of a point.
  package internal(set) var begin: GNSSTime?
  package internal(set) var end: GNSSTime?

  package init() {}

  var untimed: Int { skipped[.noTime] ?? 0 }
  var skippedPoints: Int { skipped.values.reduce(0, +) }
}

/// Why a file is not imported.
package enum TrackImportError: Error, Hashable, Sendable {
  /// None of the formats begins this way.
  case unknownFormat
  /// A compressed file: its content must be extracted first.
  case packed(RegionImportError.Packing)
  /// Not a JSON text by RFC 8259.
  case notJSON(TextPosition)
  /// JSON, but in none of the forms that contain positions with times.
  case otherJSON
  /// Not XML of the supported subset.
  case notXML(TextPosition)
  /// A document type is rejected, because it may define entities that are not in the file.
  case documentType(TextPosition)
  /// XML in an encoding other than UTF-8.
  case otherEncoding(String)
  /// XML with another root element than the format's.
  case otherRoot(String)
  /// Lists, objects or elements are nested deeper than this.
  case tooDeep(most: Int, TextPosition)
  /// The file is truncated.
  case cutOff(TextPosition)
  /// The header of a table does not have this column.
  case missingColumn(String)
  /// A part of the file has more than this many positions, all of which have to be kept until the end of the part.
  case tooMany(most: Int)
  /// The file contains positions, but none of them has a time.
  case noTimes
}

/// Reads a file as its bytes arrive, and stores a bounded part of it. After an error the reader must not be used.
protocol TrackFileReader: Sendable {
  /// Receives the next bytes, of any number.
  mutating func receive(_ bytes: Span<UInt8>, _ output: inout ImportOutput) throws(TrackImportError)
  /// Call this after the last byte.
  mutating func finish(_ output: inout ImportOutput) throws(TrackImportError)
}

/// Collects what readers have found.
struct ImportOutput: Sendable {
  private(set) var summary = ImportSummary()
  private var items: [ImportedItem] = []
  private var isInterrupted = true
  private let latest: GNSSTime?
  /// An unset clock begins to count on 1970-01-01.
  private static let earliest = GNSSTime(nanosecondsSince1970: GNSSTime.nanosecondsPerDay)

  init(latest: GNSSTime?) { self.latest = latest }

  /// The next fix is not connected to the one before.
  mutating func interrupt() { isInterrupted = true }

  mutating func skip(_ reason: ImportSummary.Reason) { summary.skipped[reason, default: 0] += 1 }

  /// Adds a position; counts it as skipped if something necessary is missing.
  mutating func add(_ position: ImportedPosition) {
    guard position.coordinate != nil else { return skip(.noPosition) }
    guard let fix = position.fix else { return skip(.noTime) }
    guard fix.time >= Self.earliest, latest.map({ fix.time <= $0 }) ?? true, fix.time.date != nil else {
      return skip(.wrongTime)
    }
    if isInterrupted, summary.points > 0 { items.append(.interruption) }
    isInterrupted = false
    items.append(.fix(fix))
    summary.points += 1
    summary.begin = min(summary.begin ?? fix.time, fix.time)
    summary.end = max(summary.end ?? fix.time, fix.time)
  }

  mutating func addVisit(
    at coordinate: Coordinate?, radius: Double? = nil, from arrival: GNSSTime?, to departure: GNSSTime?
  ) {
    guard let coordinate else { return skip(.noPosition) }
    guard let arrival, let departure else { return skip(.noTime) }
    guard arrival >= Self.earliest, arrival <= departure, latest.map({ departure <= $0 }) ?? true else {
      return skip(.wrongTime)
    }
    let known = radius.flatMap { $0 > 0 && $0 < PositionFix.greatestRadius68.value ? Meters($0) : nil }
    var visit = Visit(
      coordinate: coordinate, horizontalRadius68: known ?? PositionFix.greatestRadius68, arrival: arrival,
      departure: departure)
    visit.isImported = true
    items.append(.visit(visit))
    summary.visits += 1
  }

  mutating func takeItems() -> [ImportedItem] {
    defer { items = [] }
    return items
  }
}

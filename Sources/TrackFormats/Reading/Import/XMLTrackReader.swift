import Geodesy

/// Reads GPX or KML, as the given format says; another root element than the format's is an error.
struct XMLTrackReader: TrackFileReader {
  private var scanner = XMLScanner()
  private var elements: any TrackElements
  private let format: ImportFormat
  private var hasRoot = false

  init(_ format: ImportFormat) {
    self.format = format
    elements = format == .kml ? KMLTrackElements() : GPXTrackElements()
  }

  mutating func receive(_ bytes: Span<UInt8>, _ output: inout ImportOutput) throws(TrackImportError) {
    scanner.receive(bytes)
    try read(&output)
  }

  mutating func finish(_ output: inout ImportOutput) throws(TrackImportError) {
    scanner.finish()
    try read(&output)
    guard hasRoot else { throw .cutOff(scanner.place(scanner.offset)) }
  }

  private mutating func read(_ output: inout ImportOutput) throws(TrackImportError) {
    while let token = try scanner.next(orThrow: TrackImportError.self) {
      switch token {
      case .start(let name, let attributes):
        if !hasRoot { try begin(name) }
        try elements.start(name, attributes, depth: scanner.depth, &output)
      case .end(let name): try elements.end(name, depth: scanner.depth, &output)
      case .text(let piece): elements.receive(piece)
      }
    }
  }

  private mutating func begin(_ root: String) throws(TrackImportError) {
    guard root == format.rawValue else { throw .otherRoot(root) }
    if let encoding = scanner.foreignEncoding { throw .otherEncoding(encoding) }
    hasRoot = true
  }

}

/// The meaning of the elements of a file. `depth` is the number of open elements, which includes an element that starts
/// and excludes one that ends.
protocol TrackElements: Sendable {
  mutating func start(
    _ name: String, _ attributes: [String: String], depth: Int, _ output: inout ImportOutput
  ) throws(TrackImportError)
  /// Receives text, or a part of it.
  mutating func receive(_ text: String)
  mutating func end(_ name: String, depth: Int, _ output: inout ImportOutput) throws(TrackImportError)
}

/// The text of an element, of bounded length.
struct ElementText: Sendable {
  private(set) var text = ""

  mutating func begin() { text = "" }
  mutating func append(_ piece: String) { if text.utf8.count < XMLScanner.maximumText { text += piece } }
  var trimmed: String { String(ImportedNumber.trimmed(text)) }
}

/// GPX 1.0 and 1.1 (topografix.com/GPX/1/0, /GPX/1/1): the points of tracks and routes, and waypoints. `ele` is above
/// mean sea level, and `geoidheight` the height of the geoid above the ellipsoid. Times without a zone are UTC.
///
/// GPX 1.0 has `speed` (m/s) and `course` in the point itself; files of version 1.1 have them in extensions: Garmin's
/// TrackPointExtension (www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd), elements of the same names by OsmAnd and
/// others, and those of `GPXFormat.namespace`. `hdop` is kept, but is not an accuracy.
struct GPXTrackElements: TrackElements {
  private static let points: Set = ["trkpt", "rtept", "wpt"]

  private var position: ImportedPosition?
  private var name = ""
  /// The depth of the point, which is also the depth after the end of one of its children.
  private var depth = 0
  private var text = ElementText()

  mutating func start(
    _ name: String, _ attributes: [String: String], depth: Int, _ output: inout ImportOutput
  ) throws(TrackImportError) {
    text.begin()
    guard position == nil else { return }
    switch name {
    case "trk", "trkseg", "rte": output.interrupt()
    case _ where Self.points.contains(name):
      var position = ImportedPosition()
      position.latitude = attributes["lat"].flatMap { ImportedNumber.parse($0) }
      position.longitude = attributes["lon"].flatMap { ImportedNumber.parse($0) }
      (self.position, self.name, self.depth) = (position, name, depth)
    case _: break
    }
  }

  mutating func receive(_ text: String) { if position != nil { self.text.append(text) } }

  mutating func end(_ name: String, depth: Int, _ output: inout ImportOutput) throws(TrackImportError) {
    guard let position else { return }
    defer { text.begin() }
    guard depth < self.depth else { return consume(name, isChild: depth == self.depth) }
    self.position = nil
    // A waypoint is a place, and not a part of a line.
    if self.name == "wpt" { output.interrupt() }
    output.add(position)
    if self.name == "wpt" { output.interrupt() }
  }

  private mutating func consume(_ name: String, isChild: Bool) {
    let text = text.trimmed
    switch name {
    case "time" where isChild: position?.time = ImportedTime.parse(text)
    case "ele" where isChild: position?.heightAboveMeanSeaLevel = ImportedNumber.parse(text)
    case "geoidheight" where isChild: position?.geoidSeparation = ImportedNumber.parse(text)
    case "sat" where isChild: position?.satellites = Int(text)
    case "hdop" where isChild: position?.hdop = ImportedNumber.parse(text)
    case "src" where isChild: position?.technologies.add(named: text)
    case "fix" where isChild: position?.kind = Self.kind(text)
    case "speed": position?.speed = ImportedNumber.parse(text)
    case "course", "bearing": position?.course = ImportedNumber.parse(text)
    case "accuracy": position?.horizontalRadius = ImportedNumber.parse(text)
    case _ where !isChild: position?.set(name, text: text)
    case _: break
    }
  }

  /// `fixType`; `dgps` and `pps` are differential.
  private static func kind(_ text: String) -> FixKind? {
    switch text {
    case "2d": .twoDimensional
    case "3d": .threeDimensional
    case "dgps", "pps": .differential
    default: nil
    }
  }
}

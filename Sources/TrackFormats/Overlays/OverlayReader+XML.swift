import Geodesy

/// KML and GPX.
extension OverlayReader {
  /// What was read of the open elements.
  private struct Draft {
    var name: String?
    /// Where the shapes of the placemark, the route or the track begin.
    var firstShape = 0
    var line: [Coordinate] = []
    var rings: [[Coordinate]] = []
    var isUnreadable = false
  }

  mutating func readXML(_ bytes: [UInt8]) throws(OverlayError) {
    var scanner = XMLScanner(bytes)
    var path: [String] = []
    var draft = Draft()
    var text = ""
    var tuples = TupleText()
    while let token = try Self.next(of: &scanner) {
      switch token {
      case .start(let name, let attributes):
        if path.isEmpty {
          guard scanner.foreignEncoding == nil else { throw .otherXML }
          guard name == "gpx" || name == "kml" else { throw .otherRoot(name) }
        }
        path.append(name)
        text = ""
        start(name, attributes, &draft, &tuples)
      case .text(let piece):
        if path.last == "coordinates" {
          tuples.append(piece)
        } else if text.utf8.count < XMLScanner.maximumText {
          text += piece
        }
      case .end(let name):
        path.removeLast()
        try end(name, in: path, text, &draft, &tuples)
        text = ""
      }
    }
    guard path.isEmpty, bytes.contains(UInt8(ascii: "<")) else { throw .cutOff }
  }

  private mutating func start(
    _ name: String, _ attributes: [String: String], _ draft: inout Draft, _ tuples: inout TupleText
  ) {
    switch name {
    case "Placemark", "wpt", "rte", "trk":
      draft = Draft()
      draft.firstShape = shapes.count
      if name == "wpt" { Self.append(attributes, to: &draft) }
    case "rtept", "trkpt": Self.append(attributes, to: &draft)
    case "coordinates": tuples = TupleText()
    case "trkseg", "Track": draft.line = []
    case "Polygon": draft.rings = []
    default: break
    }
  }

  private static func append(_ attributes: [String: String], to draft: inout Draft) {
    guard let latitude = attributes["lat"].flatMap({ Double($0) }),
      let longitude = attributes["lon"].flatMap({ Double($0) }), let coordinate = coordinate(latitude, longitude)
    else { return draft.isUnreadable = true }
    draft.line.append(coordinate)
  }

  private mutating func end(
    _ name: String, in path: [String], _ text: String, _ draft: inout Draft, _ tuples: inout TupleText
  ) throws(OverlayError) {
    switch (name, path.last) {
    case ("name", "Placemark"), ("name", "wpt"), ("name", "rte"), ("name", "trk"):
      draft.name = text.split { $0.isWhitespace }.joined(separator: " ")
    case ("coordinates", "Point"):
      try add(tuples.take().flatMap { $0.count == 1 ? .point($0[0]) : nil })
    case ("coordinates", "LineString"): try add(tuples.take().map { .line($0) })
    case ("coordinates", "LinearRing"):
      if path.contains("Polygon") {
        draft.rings.append(tuples.take() ?? [])
      } else {
        try add(tuples.take().map { .line($0) })
      }
    case ("Polygon", _):
      try add(Self.polygon(draft.rings))
      draft.rings = []
    case ("coord", "Track"):
      // "longitude latitude height"; `coordinates` has commas.
      var tuple = TupleText()
      tuple.append(text.split { $0.isWhitespace }.prefix(2).joined(separator: ","))
      if let found = tuple.take() { draft.line += found } else { draft.isUnreadable = true }
    case ("trkseg", _), ("Track", _): try addLine(&draft, isTrack: true)
    case ("rte", _): try addLine(&draft, isTrack: false)
    case ("wpt", _):
      try add(draft.line.first.map { .point($0) })
      draft.line = []
    default: break
    }
    guard ["Placemark", "wpt", "rte", "trk"].contains(name) else { return }
    if let name = draft.name, !name.isEmpty {
      for index in draft.firstShape..<shapes.count { shapes[index].name = name }
    }
    draft = Draft()
  }

  private mutating func addLine(_ draft: inout Draft, isTrack: Bool) throws(OverlayError) {
    if draft.isUnreadable { skipped += 1 }
    if !draft.line.isEmpty { try add(.line(draft.line), isTrack: isTrack) }
    (draft.line, draft.isUnreadable) = ([], false)
  }

  private static func next(of scanner: inout XMLScanner) throws(OverlayError) -> XMLScanner.Token? {
    do throws(XMLError) {
      return try scanner.next()
    } catch {
      switch error {
      case .notXML(let offset), .tooDeep(let offset): throw .malformed(scanner.place(offset))
      case .documentType: throw .otherXML
      case .cutOff: throw .cutOff
      }
    }
  }

  /// Text of `longitude,latitude[,height]` tuples between white space (OGC 07-147r2, section 16.12), as its pieces arrive.
  private struct TupleText {
    private static let longest = 256
    private var tuple: [UInt8] = []
    private var found: [Coordinate] = []
    private var isUnreadable = false

    mutating func append(_ text: String) {
      for byte in text.utf8 {
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
          endTuple()
        } else if tuple.count < Self.longest {
          tuple.append(byte)
        } else {
          isUnreadable = true
        }
      }
    }

    private mutating func endTuple() {
      guard !tuple.isEmpty else { return }
      let numbers = tuple.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).prefix(2)
        .compactMap { KMLCoordinates.number(String(decoding: $0, as: UTF8.self)) }
      tuple.removeAll(keepingCapacity: true)
      guard numbers.count == 2, let coordinate = OverlayReader.coordinate(numbers[1], numbers[0]),
        found.count <= OverlayReader.mostPositions
      else { return isUnreadable = true }
      found.append(coordinate)
    }

    /// The positions; `nil` if there are none, or one of them is not valid.
    mutating func take() -> [Coordinate]? {
      endTuple()
      defer { self = TupleText() }
      return isUnreadable || found.isEmpty ? nil : found
    }
  }
}

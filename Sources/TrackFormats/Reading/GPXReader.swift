package import Geodesy

/// Reads the tracks of a GPX file (1.0 and 1.1) from any program into a timeline: the track points that have a time.
package enum GPXReader {
  /// The result.
  package struct Result: Sendable {
    package var timeline = TrackTimeline()
    /// Track points without a time, which cannot be placed on a timeline.
    package var pointsWithoutTime = 0

    package init() {}
  }

  /// One track point.
  package struct Point: Hashable, Sendable {
    package let coordinate: Coordinate
    /// `ele`: above mean sea level.
    package var heightAboveMeanSeaLevel: Meters?
    /// 68 % radius, from our own extension.
    package var horizontalRadius68: Meters?
    package var time: GNSSTime?
  }

  /// The elements of a file, in order.
  package enum Piece: Hashable, Sendable {
    /// The next point is not connected to the previous one.
    case interruption
    case point(Point)
  }

  package static func read(_ bytes: [UInt8], into result: inout Result) throws(GPXError) {
    result.timeline.interrupt()
    try forEachPiece(of: bytes) { piece in
      switch piece {
      case .interruption: result.timeline.interrupt()
      case .point(let point): append(point, to: &result)
      }
    }
  }

  /// A point whose end tag has not been read yet.
  private struct OpenPoint {
    var point: Point
    let depth: Int
  }

  /// Calls `body` with each track point of a file, and with the interruptions between them, in order.
  package static func forEachPiece(of bytes: [UInt8], _ body: (Piece) -> Void) throws(GPXError) {
    var scanner = XMLScanner(bytes)
    var point: OpenPoint?
    var text = ""
    var hasRoot = false
    while let token = try next(of: &scanner) {
      switch token {
      case .text(let part): if point != nil, text.utf8.count < XMLScanner.maximumText { text += part }
      case .start(let name, let attributes):
        if !hasRoot {
          guard name == "gpx" else { throw .notGPX }
          hasRoot = true
        }
        text = ""
        if name == "trkseg" { body(.interruption) }
        if name == "trkpt", point == nil {
          guard let coordinate = Self.coordinate(attributes) else { throw .badPoint(at: scanner.offset) }
          point = OpenPoint(point: Point(coordinate: coordinate), depth: scanner.depth)
        }
      case .end(let name):
        guard let found = point else { continue }
        // The scanner has already left the element: after the end of a child, its depth is that of the point.
        if scanner.depth == found.depth {
          try consume(name, text, at: scanner.offset, into: &point)
        } else if name == "horizontalAccuracy" {
          // Our own extension.
          point?.point.horizontalRadius68 = Self.number(text).map { Meters($0) }
        } else if scanner.depth < found.depth {
          body(.point(found.point))
          point = nil
        }
        text = ""
      }
    }
    guard hasRoot else { throw .notGPX }
  }

  private static func next(of scanner: inout XMLScanner) throws(GPXError) -> XMLScanner.Token? {
    do throws(XMLError) {
      return try scanner.next()
    } catch {
      switch error {
      case .notXML(let offset), .tooDeep(let offset), .cutOff(let offset): throw .notXML(at: offset)
      case .documentType: throw .documentType
      }
    }
  }

  private static func consume(
    _ name: String, _ text: String, at offset: Int, into point: inout OpenPoint?
  ) throws(GPXError) {
    switch name {
    case "ele": point?.point.heightAboveMeanSeaLevel = number(text).map { Meters($0) }
    case "time":
      let trimmed = text.split { $0.isWhitespace }.joined(separator: " ")
      guard let reading = DateTimeText.parse(trimmed) else { throw .badTime(at: offset) }
      // GPX: times without a zone are UTC.
      point?.point.time = reading.clock + (.zero - (reading.offset ?? .zero))
    default: break
    }
  }

  private static func append(_ point: Point, to result: inout Result) {
    guard let time = point.time else {
      result.pointsWithoutTime += 1
      return
    }
    result.timeline.append(
      TrackSample(
        time: time, coordinate: point.coordinate, heightAboveMeanSeaLevel: point.heightAboveMeanSeaLevel,
        horizontalRadius68: point.horizontalRadius68))
  }

  private static func coordinate(_ attributes: [String: String]) -> Coordinate? {
    guard let latitude = attributes["lat"].flatMap({ number($0) }),
      let longitude = attributes["lon"].flatMap({ number($0) })
    else { return nil }
    return Coordinate(checkingLatitude: latitude, longitude: longitude)
  }

  private static func number(_ text: String) -> Double? {
    let trimmed = text.split { $0.isWhitespace }.joined(separator: " ")
    return Double(trimmed).flatMap { $0.isFinite ? $0 : nil }
  }
}

/// Why a text is not a GPX track that can be read.
package enum GPXError: Error, Hashable, Sendable {
  /// Not XML of the supported subset; the payload is a byte offset in the text.
  case notXML(at: Int)
  /// XML, but its root is not `gpx`.
  case notGPX
  /// A document type is rejected, because it may define entities that are not in the file.
  case documentType
  /// A track point without a valid position.
  case badPoint(at: Int)
  /// An invalid time.
  case badTime(at: Int)
}

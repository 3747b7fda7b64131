import Geodesy

/// Reads the tracks of a GPX file (1.0 and 1.1) of any make into a timeline: its track points that have a time.
package enum GPXReader {
  /// What was read.
  package struct Result: Sendable {
    package var timeline = TrackTimeline()
    /// Track points without a time, which say nothing of when.
    package var pointsWithoutTime = 0

    package init() {}
  }

  private struct Point {
    let coordinate: Coordinate
    let offset: Int
    let depth: Int
    var height: Double?
    var radius: Double?
    var time: GNSSTime?
  }

  package static func read(_ bytes: [UInt8], into result: inout Result) throws(GPXError) {
    var scanner = XMLScanner(bytes)
    var point: Point?
    var text = ""
    var hasRoot = false
    result.timeline.interrupt()
    while let token = try scanner.next() {
      switch token {
      case .text(let part): if point != nil { text += part }
      case .start(let name, let attributes):
        if !hasRoot {
          guard name == "gpx" else { throw .notGPX }
          hasRoot = true
        }
        text = ""
        if name == "trkseg" { result.timeline.interrupt() }
        if name == "trkpt", point == nil {
          guard let coordinate = Self.coordinate(attributes) else { throw .badPoint(at: scanner.offset) }
          point = Point(coordinate: coordinate, offset: scanner.offset, depth: scanner.depth)
        }
      case .end(let name):
        guard let found = point else { continue }
        // The end tag has been taken off already: a child's end leaves the point's own depth.
        if scanner.depth == found.depth {
          try take(name, text, at: scanner.offset, into: &point)
        } else if name == "horizontalAccuracy" {
          // Our own extension.
          point?.radius = Self.number(text)
        } else if scanner.depth < found.depth {
          append(found, to: &result)
          point = nil
        }
        text = ""
      }
    }
    guard hasRoot else { throw .notGPX }
  }

  private static func take(
    _ name: String, _ text: String, at offset: Int, into point: inout Point?
  ) throws(GPXError) {
    switch name {
    case "ele": point?.height = number(text)
    case "time":
      let trimmed = text.split { $0.isWhitespace }.joined(separator: " ")
      guard let reading = DateTimeText.parse(trimmed) else { throw .badTime(at: offset) }
      // GPX: times are UTC where they do not say otherwise.
      point?.time = reading.clock + (.zero - (reading.offset ?? .zero))
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
        time: time, coordinate: point.coordinate, heightAboveMeanSeaLevel: point.height.map { Meters($0) },
        horizontalRadius68: point.radius.map { Meters($0) }))
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

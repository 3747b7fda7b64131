import Geodesy

/// Fixes as GPX 1.1 (topografix.com/GPX/1/1): one fix as a waypoint, a stream as a track. `ele` is above mean sea level.
package enum GPXFormat {
  /// The amount of detail of a point.
  package enum Detail: Hashable, Sendable {
    /// The elements of GPX. `desc` contains the radius, and whether the fix is cached, suspect or simulated.
    case described
    /// The elements of GPX without `desc`. `extensions` contains `ownKeys` in elements of `namespace`, and speed and
    /// course in Garmin's element as well.
    case extended
  }

  /// The namespace of our own elements. Each is named after the JSON key of `locationctl fix` whose value it repeats,
  /// in the same unit; `geoid` names the model if `ele` was computed from a height above the ellipsoid.
  package static let namespace = "urn:x-locationctl:track:1"

  /// Garmin's TrackPointExtension, version 2: the element for speed (m/s) and course (degrees true) that other programs read
  /// (www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd).
  private static let garmin = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"

  /// A document with one waypoint.
  package static func document(_ located: LocatedFix) -> [UInt8] {
    var bytes = start(.described)
    append(located, element: "wpt", indentation: "  ", .described, to: &bytes)
    return bytes + documentEnd
  }

  /// The beginning of a document, with the start tag of `gpx`.
  package static func start(_ detail: Detail) -> [UInt8] {
    let extensions = detail == .extended ? " xmlns:ctl=\"\(namespace)\" xmlns:gpxtpx=\"\(garmin)\"" : ""
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="locationctl" xmlns="http://www.topografix.com/GPX/1/1"\(extensions)>

      """.utf8)
  }
  package static let trackStart = Array("  <trk>\n".utf8)
  package static let segmentStart = Array("    <trkseg>\n".utf8)
  package static let segmentEnd = Array("    </trkseg>\n".utf8)
  package static let trackEnd = Array("  </trk>\n".utf8)
  package static let documentEnd = Array("</gpx>\n".utf8)

  /// Writes one point of a track; nothing if the position is invalid.
  package static func appendTrackPoint(_ located: LocatedFix, _ detail: Detail, to bytes: inout [UInt8]) {
    append(located, element: "trkpt", indentation: "      ", detail, to: &bytes)
  }

  /// Writes a note as a waypoint.
  static func append(_ note: TrackNote, to bytes: inout [UInt8]) {
    guard let position = CoordinateText(note.coordinate) else { return }
    bytes += "  <wpt lat=\"".utf8
    position.latitude.append(to: &bytes)
    bytes += "\" lon=\"".utf8
    position.longitude.append(to: &bytes)
    bytes += "\">\n".utf8
    if let height = FixHeights(note).aboveMeanSeaLevel.flatMap({ FixedDecimal($0, decimals: 3, minimum: 2) }) {
      bytes += "    <ele>".utf8
      height.append(to: &bytes)
      bytes += "</ele>\n".utf8
    }
    if let time = Timestamp(note.time)?.iso8601 { bytes += "    <time>\(time)</time>\n".utf8 }
    bytes += "    <name>\(XMLText.escaped(note.text))</name>\n  </wpt>\n".utf8
  }

  /// A `wptType`; its elements are a sequence, so their order must be the schema's.
  private static func append(
    _ located: LocatedFix, element: String, indentation: String, _ detail: Detail, to bytes: inout [UInt8]
  ) {
    let fix = located.fix
    guard let position = CoordinateText(fix.coordinate) else { return }
    bytes += "\(indentation)<\(element) lat=\"".utf8
    position.latitude.append(to: &bytes)
    bytes += "\" lon=\"".utf8
    position.longitude.append(to: &bytes)
    bytes += "\">\n".utf8
    func add(_ name: String, _ value: OutputValue?, depth: Int = 1) {
      guard let value else { return }
      bytes += "\(indentation)\(String(repeating: "  ", count: depth))<\(name)>".utf8
      switch value {
      case .number(let number): number.append(to: &bytes)
      case .text(let text): bytes += XMLText.escaped(text).utf8
      case .flag(let flag): bytes += (flag ? "true" : "false").utf8
      case .list(let items): bytes += XMLText.escaped(items.joined(separator: " ")).utf8
      }
      bytes += "</\(name)>\n".utf8
    }
    let heights = located.heights
    add("ele", .meters(heights.aboveMeanSeaLevel))
    add("time", .text(Timestamp(fix.time)?.iso8601))
    add("geoidheight", .meters(heights.separation))
    if detail == .described { add("desc", .text(description(located))) }
    add("src", .text(fix.device))
    add("fix", .text(solution(fix.kind)))
    add("sat", .number(fix.satellitesUsed.map { max(0, $0) }))
    add("hdop", FixKey.hdop.value(of: located))
    if detail == .extended {
      bytes += "\(indentation)  <extensions>\n".utf8
      let (speed, course) = (FixKey.speed.value(of: located), FixKey.course.value(of: located))
      if speed != nil || course != nil {
        bytes += "\(indentation)    <gpxtpx:TrackPointExtension>\n".utf8
        add("gpxtpx:speed", speed, depth: 3)
        add("gpxtpx:course", course, depth: 3)
        bytes += "\(indentation)    </gpxtpx:TrackPointExtension>\n".utf8
      }
      for key in ownKeys { add("ctl:\(key.rawValue)", key.value(of: located), depth: 2) }
      let isMade = heights.isModelled && located.altitude == nil
      add("ctl:geoid", isMade ? .text(Geoid.name) : nil, depth: 2)
      bytes += "\(indentation)  </extensions>\n".utf8
    }
    bytes += "\(indentation)</\(element)>\n".utf8
  }

  /// Values for which GPX has no element, or only a less precise one.
  private static let ownKeys: [FixKey] = [
    .horizontalAccuracy, .verticalAccuracy, .course, .courseAccuracy, .speed, .speedAccuracy, .fix, .technologies,
    .receiver, .timeConfirmed, .suspect, .simulated, .imported,
  ]

  /// Text for values that have no element in GPX, but that a reader must know.
  private static func description(_ located: LocatedFix) -> String? {
    var parts: [String] = []
    if let value = located.fix.knownHorizontalRadius68?.value, let radius = FixedDecimal.text(value, decimals: 2) {
      parts.append("within \(radius) m (68 %)")
    }
    if located.isCached { parts.append("last known") }
    if let qualityFlag = located.fix.qualityFlag { parts.append("suspect: \(qualityFlag.contractName)") }
    if located.fix.isSimulated { parts.append("simulated") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `fixType`; GPX has no value for an estimate.
  private static func solution(_ kind: FixKind) -> String? {
    switch kind {
    case .estimated: nil
    case .twoDimensional: "2d"
    case .threeDimensional: "3d"
    case .differential, .rtkFloat, .rtkFixed: "dgps"
    }
  }
}

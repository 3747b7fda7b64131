import Geodesy

/// A track as KML 2.2 (OGC 07-147r2) with Google's `gx:Track`: one placemark per segment. A segment is split into runs of at
/// most `TrackDocument.maximumRun` fixes, which either all have a height or all have none. Heights are above mean sea level
/// (KML's `absolute`); a run without heights is clamped to the ground.
struct KMLTrackEncoder: TrackEncoder {
  private let name: String
  private var whens: [UInt8] = []
  private var positions: [UInt8] = []
  private var columns = TrackColumns()
  private var hasHeights = false
  private var segment = 0

  private let notes: [TrackNote]

  init(name: String, notes: [TrackNote] = []) { (self.name, self.notes) = (name, notes) }

  mutating func start(to bytes: inout [UInt8]) {
    bytes +=
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document>
          <name>\(XMLText.escaped(name))</name>
          <description>Heights are above mean sea level. If the receiver sent only heights above the ellipsoid, they were \
      converted with the geoid \(Geoid.name).</description>
          <Schema id="fix">

      """.utf8
    for key in TrackColumns.keys {
      bytes += "      <gx:SimpleArrayField name=\"\(key.rawValue)\" type=\"\(Self.type(of: key))\"/>\n".utf8
    }
    bytes += "    </Schema>\n".utf8
    for note in notes { Self.append(note, to: &bytes) }
  }

  private static func append(_ note: TrackNote, to bytes: inout [UInt8]) {
    guard let position = CoordinateText(note.coordinate) else { return }
    bytes += "    <Placemark>\n      <name>\(XMLText.escaped(note.text))</name>\n".utf8
    bytes += "      <TimeStamp><when>\(Timestamp(note.time)?.iso8601 ?? "")</when></TimeStamp>\n".utf8
    KMLFormat.appendPoint(at: position, FixHeights(note), to: &bytes)
    bytes += "    </Placemark>\n".utf8
  }

  mutating func startSegment(after reason: TrackInterruption?, to bytes: inout [UInt8]) {
    segment += 1
    bytes +=
      """
          <Placemark>
            <name>\(segment)\(reason.map { ", \($0.name)" } ?? "")</name>
            <gx:MultiTrack>
              <gx:interpolate>1</gx:interpolate>

      """.utf8
  }

  mutating func write(_ located: LocatedFix, at position: CoordinateText, to bytes: inout [UInt8]) {
    let height = located.heights.aboveMeanSeaLevel.flatMap { FixedDecimal($0, decimals: 3, minimum: 2) }
    if columns.count == TrackDocument.maximumRun || (columns.count > 0 && hasHeights != (height != nil)) {
      endRun(to: &bytes)
    }
    hasHeights = height != nil
    whens += "          <when>\(Timestamp(located.fix.time)?.iso8601 ?? "")</when>\n".utf8
    positions += "          <gx:coord>".utf8
    position.longitude.append(to: &positions)
    positions.append(UInt8(ascii: " "))
    position.latitude.append(to: &positions)
    if let height {
      positions.append(UInt8(ascii: " "))
      height.append(to: &positions)
    }
    positions += "</gx:coord>\n".utf8
    columns.append(located)
  }

  mutating func endSegment(to bytes: inout [UInt8]) {
    endRun(to: &bytes)
    bytes += "      </gx:MultiTrack>\n    </Placemark>\n".utf8
  }

  mutating func end(to bytes: inout [UInt8]) { bytes += "  </Document>\n</kml>\n".utf8 }

  private mutating func endRun(to bytes: inout [UInt8]) {
    guard columns.count > 0 else { return }
    bytes += "        <gx:Track>\n".utf8
    bytes += "          <altitudeMode>\(hasHeights ? "absolute" : "clampToGround")</altitudeMode>\n".utf8
    bytes += whens
    bytes += positions
    appendColumns(to: &bytes)
    bytes += "        </gx:Track>\n".utf8
    whens.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    columns.removeAll()
  }

  private func appendColumns(to bytes: inout [UInt8]) {
    bytes += "          <ExtendedData>\n            <SchemaData schemaUrl=\"#fix\">\n".utf8
    for (key, values) in columns.known {
      bytes += "              <gx:SimpleArrayData name=\"\(key.rawValue)\">\n".utf8
      for value in values {
        bytes += "                <gx:value>".utf8
        switch value {
        case .number(let number): number.append(to: &bytes)
        case .text(let text): bytes += XMLText.escaped(text).utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .list, nil: break
        }
        bytes += "</gx:value>\n".utf8
      }
      bytes += "              </gx:SimpleArrayData>\n".utf8
    }
    bytes += "            </SchemaData>\n          </ExtendedData>\n".utf8
  }

  private static func type(of key: FixKey) -> String {
    switch key {
    case .fix, .suspect: "string"
    case .satellitesUsed: "int"
    case .simulated, .imported: "bool"
    default: "double"
    }
  }
}

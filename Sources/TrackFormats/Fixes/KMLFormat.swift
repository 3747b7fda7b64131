import Geodesy

/// Fixes as KML 2.2 (OGC 07-147r2): a placemark per fix. Heights are above mean sea level (`absolute`); a point without
/// a height is clamped to the ground.
package enum KMLFormat {
  package static let start = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>
        <name>locationctl</name>

    """.utf8)
  package static let end = Array("  </Document>\n</kml>\n".utf8)

  /// A document with one placemark.
  package static func document(_ located: LocatedFix) -> [UInt8] { start + placemark(located) + end }

  /// The placemark of a fix; empty if the position is invalid.
  package static func placemark(_ located: LocatedFix) -> [UInt8] {
    guard let position = CoordinateText(located.fix.coordinate) else { return [] }
    let time = Timestamp(located.fix.time)?.iso8601
    var bytes = Array("    <Placemark>\n".utf8)
    if let time { bytes += "      <TimeStamp><when>\(time)</when></TimeStamp>\n".utf8 }
    bytes += "      <ExtendedData>\n".utf8
    for key in TrackColumns.keys {
      guard let value = key.value(of: located) else { continue }
      bytes += "        <Data name=\"\(key.rawValue)\"><value>".utf8
      switch value {
      case .number(let number): number.append(to: &bytes)
      case .text(let text): bytes += XMLText.escaped(text).utf8
      case .flag(let flag): bytes += (flag ? "true" : "false").utf8
      case .list(let items): bytes += XMLText.escaped(items.joined(separator: " ")).utf8
      }
      bytes += "</value></Data>\n".utf8
    }
    bytes += "      </ExtendedData>\n".utf8
    appendPoint(at: position, located.heights, to: &bytes)
    bytes += "    </Placemark>\n".utf8
    return bytes
  }

  /// Writes the `Point` of a placemark.
  static func appendPoint(at position: CoordinateText, _ heights: FixHeights, to bytes: inout [UInt8]) {
    let height = heights.aboveMeanSeaLevel.flatMap { FixedDecimal($0, decimals: 3, minimum: 2) }
    bytes += "      <Point>\n".utf8
    bytes += "        <altitudeMode>\(height == nil ? "clampToGround" : "absolute")</altitudeMode>\n".utf8
    bytes += "        <coordinates>".utf8
    position.longitude.append(to: &bytes)
    bytes.append(UInt8(ascii: ","))
    position.latitude.append(to: &bytes)
    if let height {
      bytes.append(UInt8(ascii: ","))
      height.append(to: &bytes)
    }
    bytes += "</coordinates>\n      </Point>\n".utf8
  }
}

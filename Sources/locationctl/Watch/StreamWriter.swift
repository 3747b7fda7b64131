package import TrackFormats

/// Converts a stream of fixes and events to the bytes of one format: the opening, each line, the separator between two lines, and
/// the closing.
package struct StreamWriter: Sendable {
  private let style: OutputStyle
  private var lines = JSONLineWriter()

  private let look: Presentation

  /// - Parameter look: how text for people is printed; lines are shortened to the number of columns of the terminal.
  package init(_ style: OutputStyle, _ look: Presentation = .pipe) { (self.style, self.look) = (style, look) }

  /// The opening, before the first fix.
  package var opening: [UInt8] {
    switch style {
    case .format(.gpx): GPXFormat.start(.described) + GPXFormat.trackStart + GPXFormat.segmentStart
    case .format(.geojson): GeoJSONFormat.collectionStart
    case .format(.kml): KMLFormat.start
    case .format(.csv): CSVFormat.header
    case .template, .format: []
    }
  }

  /// The separator before every line except the first.
  package var separator: [UInt8] { style == .format(.geojson) ? GeoJSONFormat.separator : [] }

  /// The line of a fix; empty if the format has none for it.
  package mutating func line(_ located: LocatedFix) -> ArraySlice<UInt8> {
    switch style {
    case .template(let template): template.line(located)[...]
    case .format(.json): lines.line(located)
    case .format(.text): TextFormat.line(located, look)[...]
    case .format(.nmea): NMEAFormat.lines(located)[...]
    case .format(.gpx): Self.trackPoint(located)[...]
    case .format(.geojson): GeoJSONFormat.line(located)[...]
    case .format(.kml): KMLFormat.placemark(located)[...]
    case .format(.csv): CSVFormat.line(located)[...]
    case .format(.geo): GeoURI.line(located)[...]
    case .format(.shell): ShellFormat.lines(located)[...]
    }
  }

  /// The line of an event; empty if the format cannot express it.
  package func line(_ event: StreamEvent) -> [UInt8] {
    switch (style, event.name) {
    case (.template, _): []
    case (.format(.json), _): event.jsonObject.line
    case (.format(.text), _):
      TextTable.bytes(
        [
          .dim(event.time.flatMap { TimeText.clock($0, look) } ?? "--:--:--") + "  "
            + StyledText(event.text, event.role)
        ], look)
    case (.format(.nmea), .lost), (.format(.nmea), .paused), (.format(.nmea), .denied):
      NMEAFormat.lost(at: event.time.flatMap { Timestamp($0) })
    case (.format(.nmea), .back), (.format(.nmea), .resumed): []
    // The path between the last fix and the next one is unknown: start a new track segment.
    case (.format(.gpx), .lost), (.format(.gpx), .paused): GPXFormat.segmentEnd + GPXFormat.segmentStart
    case (.format(.gpx), .back), (.format(.gpx), .resumed), (.format(.gpx), .denied): []
    case (.format(.kml), _), (.format(.csv), _), (.format(.geo), _), (.format(.shell), _): []
    case (.format(.geojson), _):
      GeoJSONFormat.feature(geometry: Array("null".utf8), properties: event.jsonObject.closed)
    }
  }

  /// The closing, after the last line; it is written however the stream ends, unless nothing was written or writing has
  /// failed.
  package var closing: [UInt8] {
    switch style {
    case .format(.gpx): GPXFormat.segmentEnd + GPXFormat.trackEnd + GPXFormat.documentEnd
    case .format(.geojson): GeoJSONFormat.collectionEnd
    case .format(.kml): KMLFormat.end
    case .template, .format: []
    }
  }

  private static func trackPoint(_ located: LocatedFix) -> [UInt8] {
    var bytes: [UInt8] = []
    GPXFormat.appendTrackPoint(located, .described, to: &bytes)
    return bytes
  }
}

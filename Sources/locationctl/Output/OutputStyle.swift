package import TrackFormats

/// A format by name, or a template.
package enum OutputStyle: Hashable, Sendable {
  case format(OutputFormat)
  case template(OutputTemplate)

  /// A single fix as output; `look` determines how text for people is printed.
  package func bytes(_ located: LocatedFix, _ look: Presentation = .pipe) -> [UInt8] {
    switch self {
    case .template(let template): template.line(located)
    case .format(.json): JSONFormat.line(located)
    case .format(.text): TextFormat.block(located, look)
    case .format(.nmea): NMEAFormat.lines(located)
    case .format(.gpx): GPXFormat.document(located)
    case .format(.geojson): GeoJSONFormat.line(located, alone: true)
    case .format(.kml): KMLFormat.document(located)
    case .format(.csv): CSVFormat.header + CSVFormat.line(located)
    case .format(.geo): GeoURI.line(located)
    case .format(.shell): ShellFormat.lines(located)
    }
  }
}

/// The output format of fixes.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json, text, nmea, gpx, geojson, kml, csv, geo, shell
}

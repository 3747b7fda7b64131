/// The output format of fixes.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json, text, nmea, gpx, geojson
}

/// How fixes are written.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json, text, nmea, gpx, geojson
}

/// How a track is written.
package enum TrackFormat: String, CaseIterable, Sendable {
  case gpx, kml, geojson, csv, nmea
}

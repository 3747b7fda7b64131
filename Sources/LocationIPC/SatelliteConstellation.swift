/// A satellite system, in the order in which satellites are listed.
package enum SatelliteConstellation: String, CaseIterable, Hashable, Sendable {
  case gps, glonass, galileo, beidou, qzss, navic, sbas
  /// Transmitters indoors that speak as GPS satellites do.
  case imes
}

/// One satellite as a simulated receiver sees it.
struct SimulatedSatellite: Hashable, Sendable {
  /// The constellations of a simulated sky; raw value: u-blox `gnssId`.
  enum System: UInt8, CaseIterable, Sendable {
    case gps = 0
    case galileo = 2
    case beidou = 3
    case glonass = 6
  }

  var system: System
  /// Number within the constellation, from 1 (u-blox `svId`).
  var number: UInt8
  /// Degrees above the horizon.
  var elevation: Int8
  /// Degrees clockwise from true north, 0…359.
  var azimuth: Int16
  /// Signal strength in dBHz.
  var signal: UInt8
  /// Whether the position stands on it.
  var isUsed: Bool
}

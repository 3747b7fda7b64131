package import LocationIPC
import TrackFormats

extension SatelliteReport {
  /// The RINEX 3.05 name (section 3.5): `G05`, `R12`, `S27` for the SBAS satellite 127; three characters, all ASCII.
  package var name: String {
    let number = constellation == .sbas ? self.number - 100 : self.number
    return constellation.letter + FixedDecimal.padded(Int64(max(0, min(99, number))), to: 2)
  }
}

extension SatelliteConstellation {
  /// The RINEX letter; RINEX has none for IMES.
  package var letter: String {
    switch self {
    case .gps: "G"
    case .glonass: "R"
    case .galileo: "E"
    case .beidou: "C"
    case .qzss: "J"
    case .navic: "I"
    case .sbas: "S"
    case .imes: "M"
    }
  }

  /// The name of the constellation, for people.
  package var title: String {
    switch self {
    case .gps: "GPS"
    case .glonass: "GLONASS"
    case .galileo: "Galileo"
    case .beidou: "BeiDou"
    case .qzss: "QZSS"
    case .navic: "NavIC"
    case .sbas: "SBAS"
    case .imes: "IMES"
    }
  }
}

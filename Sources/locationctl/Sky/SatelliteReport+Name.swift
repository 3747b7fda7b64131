package import LocationIPC
import TrackFormats

extension SatelliteReport {
  /// The name according to RINEX 3.05 (section 3.5): `G05`, `R12`, `S27` for the SBAS satellite 127; three ASCII
  /// characters.
  package var name: String {
    let number = constellation == .sbas ? self.number - 100 : self.number
    return constellation.letter + FixedDecimal.padded(Int64(max(0, min(99, number))), to: 2)
  }
}

extension SatelliteConstellation {
  /// The letter that RINEX uses; for IMES, which has none in RINEX, a letter of our own.
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

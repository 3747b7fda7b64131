import WireFormats

/// The signals that NMEA receivers tell apart (NMEA 0183 4.11, table 21).
extension SatelliteSighting {
  /// As the system's interface documents call it; `nil`: not told, or a number that the table does not have.
  package var signalName: String? {
    guard let code else { return nil }
    let names: [String]
    switch id.constellation {
    case .gps, .sbas:
      names = ["L1 C/A", "L1 P(Y)", "L1 M", "L2 P(Y)", "L2C-M", "L2C-L", "L5-I", "L5-Q"]
    case .glonass: names = ["G1 C/A", "G1 P", "G2 C/A", "G2 P"]
    case .galileo: names = ["E5a", "E5b", "E5a+b", "E6-A", "E6-BC", "E1-A", "E1-BC"]
    case .beidou:
      names = ["B1I", "B1Q", "B1C", "B1A", "B2a", "B2b", "B2a+b", "B3I", "B3Q", "B3A", "B2I", "B2Q"]
    case .qzss:
      names = ["L1 C/A", "L1C-D", "L1C-P", "LIS", "L2C-M", "L2C-L", "L5-I", "L5-Q", "L6D", "L6E"]
    case .navic: names = ["L5-SPS", "S-SPS", "L5-RS", "S-RS", "L1-SPS"]
    case .imes: return nil
    }
    guard (1...names.count).contains(Int(code)) else { return nil }
    return names[Int(code) - 1]
  }
}

package import Geodesy

extension PositionFix {
  /// GGA's quality indicator (NMEA 0183 4.11, section 8.3.35), 0…8. A fix with a quality flag is written as 0, "no
  /// fix", because no other indicator makes readers distrust the position.
  package var ggaQuality: Int {
    if qualityFlag != nil { return 0 }
    if isSimulated { return 8 }
    switch kind {
    // The kind of an imported fix is usually unknown, and readers may drop estimates.
    case .estimated: return isImported ? 1 : 6
    case .twoDimensional, .threeDimensional: return 1
    case .differential: return 2
    case .rtkFixed: return 4
    case .rtkFloat: return 5
    }
  }
}

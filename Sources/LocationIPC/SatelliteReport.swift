/// One satellite, as a receiver sees it.
package struct SatelliteReport: Hashable, Sendable {
  package var constellation: SatelliteConstellation
  /// Number within the constellation, from 1 (PRN, slot or space vehicle number); of SBAS the PRN, from 120.
  package var number: Int
  /// Degrees above the horizon, −90…90; `nil`: not known.
  package var elevationDegrees: Int?
  /// Degrees clockwise from true north, 0…359; `nil`: not known.
  package var azimuthDegrees: Int?
  /// Carrier to noise density in dB-Hz of the strongest signal, above zero; `nil`: not heard.
  package var signalDecibelHertz: Int?
  /// Whether the solution stands on it; `nil`: not told.
  package var isUsed: Bool?
  /// What it, or the receiver, says of its health; `nil`: not told.
  package var isHealthy: Bool?
  /// Each signal by itself, where the receiver tells them apart; else empty.
  package var signals: [SatelliteSignal] = []

  /// A satellite of which only the name is known.
  package init(_ constellation: SatelliteConstellation, _ number: Int) {
    self.constellation = constellation
    self.number = number
  }
}

/// One signal of a satellite.
package struct SatelliteSignal: Hashable, Sendable {
  /// As the system's interface documents call it: `L1 C/A`, `E5a`, `B1I`.
  package var name: String
  /// dB-Hz, above zero; `nil`: not heard.
  package var decibelHertz: Int?

  package init(name: String, decibelHertz: Int?) {
    self.name = name
    self.decibelHertz = decibelHertz
  }
}

/// GSV, satellites in view: up to four of a list that goes on over several sentences (NMEA 0183 4.11, section 8.3.41).
package struct GSV: Sendable {
  /// One satellite.
  package struct Satellite: Hashable, Sendable {
    /// `nil`: the receiver hears a signal that it has not identified.
    package var id: SatelliteID?
    /// −90…90.
    package var elevationDegrees: Int8?
    /// 0…360, clockwise from true north.
    package var azimuthDegrees: Int16?
    /// Carrier to noise density in dB-Hz; `nil`: not tracked.
    package var signalDecibelHertz: UInt8?
  }

  package var sentences: UInt8
  /// 1…`sentences`.
  package var sentence: UInt8
  /// As told: some count satellites, some signals.
  package var satellitesInView: UInt8 = 0
  /// Of `satellites`, so many are told here.
  package var count: UInt8 = 0
  package var satellites: InlineArray<4, Satellite> = .init(repeating: Satellite())
  /// Signal identifier, from 4.11 on (table 21).
  package var signal: UInt8?

  /// Whether the list ends with this sentence.
  package var isLast: Bool { sentence == sentences }
}

package import WireFormats

/// One satellite as a receiver lists it, by one of its signals; receivers that tell signals apart list it once for each.
package struct SatelliteSighting: Hashable, Sendable {
  package var id: SatelliteID
  /// Above the horizon, −90…90; `nil`: not known.
  package var elevationDegrees: Int8?
  /// 0…360, clockwise from true north; `nil`: not known.
  package var azimuthDegrees: Int16?
  /// Carrier to noise density in dB-Hz, above zero; `nil`: not heard.
  package var signalDecibelHertz: UInt8?
  /// Which signal, as NMEA 0183 4.11 numbers them within a system (table 21); `nil`: not told.
  package var code: UInt8?
  /// Whether the solution stands on it; `nil`: not told.
  package var isUsed: Bool?
  /// `nil`: not told.
  package var isHealthy: Bool?

  /// A sighting; what is left out is not known.
  package init(
    id: SatelliteID, elevationDegrees: Int8? = nil, azimuthDegrees: Int16? = nil, signalDecibelHertz: UInt8? = nil,
    code: UInt8? = nil, isUsed: Bool? = nil, isHealthy: Bool? = nil
  ) {
    self.id = id
    self.elevationDegrees = elevationDegrees
    self.azimuthDegrees = azimuthDegrees
    self.signalDecibelHertz = signalDecibelHertz
    self.code = code
    self.isUsed = isUsed
    self.isHealthy = isHealthy
  }
}

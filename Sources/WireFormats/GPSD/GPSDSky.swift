package import Geodesy

/// The head of a SKY: dilutions, and how many satellites follow. A SKY may have either without the other.
package struct GPSDSky: Hashable, Sendable {
  package var time: GNSSTime?
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  /// Satellites used, where any are listed.
  package var used: Int?

  package init() {}
}

/// One satellite of a SKY.
package struct GPSDSatellite: Hashable, Sendable {
  /// `nil`: a number that no scheme knows.
  package var id: SatelliteID?
  /// C/N0 in dB-Hz; 0: not heard.
  package var signalDecibelHertz: UInt8
  package var isUsed: Bool
  /// −90…90; `nil`: not known.
  package var elevationDegrees: Int8?
  /// 0…360, clockwise from true north; `nil`: not known.
  package var azimuthDegrees: Int16?
  /// `nil`: not known.
  package var isHealthy: Bool?

  package init(id: SatelliteID?, signalDecibelHertz: UInt8, isUsed: Bool) {
    self.id = id
    self.signalDecibelHertz = signalDecibelHertz
    self.isUsed = isUsed
  }
}

package import Geodesy
package import WireFormats

/// One access point as the radio heard it, without its name: that stays with the bytes.
package struct AccessPointSighting: Hashable, Sendable {
  package var bssid: BSSID
  /// How strongly, dBm, −110 … 0; `nil` where the driver does not know.
  package var signalDecibelMilliwatts: Double?
  /// On which frequency, MHz; `nil` where it is not told.
  package var frequencyMegahertz: Int?
  /// When its last beacon came.
  package var heardAt: Instant

  package init(bssid: BSSID, signalDecibelMilliwatts: Double?, frequencyMegahertz: Int?, heardAt: Instant) {
    self.bssid = bssid
    self.signalDecibelMilliwatts = signalDecibelMilliwatts
    self.frequencyMegahertz = frequencyMegahertz
    self.heardAt = heardAt
  }
}

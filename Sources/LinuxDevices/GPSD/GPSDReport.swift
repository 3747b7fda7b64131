package import WireFormats

/// What one line of gpsd's JSON says (gpsd_json(5)).
package enum GPSDReport: Hashable, Sendable {
  /// The greeting: gpsd's version.
  case version(release: String)
  case devices([GPSDDevice])
  /// A device was opened, closed or understood.
  case device(GPSDDevice)
  /// The answer to WATCH: what follows is what was asked for.
  case watching
  /// What the receiver at `device` says.
  case messages([GPSDMessage], device: String)
  case error(String)
  /// A class that is of no interest.
  case other
}

/// A receiver, as gpsd knows it.
package struct GPSDDevice: Hashable, Sendable {
  /// As gpsd names it: a node, or `tcp://…`.
  package var path: String
  /// "u-blox", "NMEA0183", …; `nil` before it is known.
  package var driver: String?
  /// Firmware or hardware, in the driver's words.
  package var subtype: String?
  package var isActivated: Bool

  /// Whether its bytes are NMEA or UBX, which our own decoders read; `nil`: not known yet.
  package var speaksOurProtocols: Bool? {
    driver.map { $0 == "u-blox" || $0.holds("NMEA") || $0.hasPrefix("MTK") }
  }
}

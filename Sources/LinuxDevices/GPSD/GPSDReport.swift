import Geodesy
package import WireFormats

/// The content of one line of gpsd's JSON (gpsd_json(5)).
package enum GPSDReport: Hashable, Sendable {
  /// The greeting: gpsd's version.
  case version(release: String)
  case devices([GPSDDevice])
  /// A device was opened or closed, or its driver was identified.
  case device(GPSDDevice)
  /// The answer to WATCH: the requested reports follow.
  case watching
  /// Messages of the receiver at `device`.
  case messages([GPSDMessage], device: String)
  case error(String)
  /// A class that is not used.
  case other
}

/// A receiver as reported by gpsd.
package struct GPSDDevice: Hashable, Sendable {
  /// gpsd's name for the device: a device node, or `tcp://…`.
  package var path: String
  /// "u-blox", "NMEA0183", …; `nil` before it is known.
  package var driver: String?
  /// Firmware or hardware, in the driver's format.
  package var subtype: String?
  package var isActivated: Bool

  /// Whether the device sends NMEA or UBX, which this package can decode; `nil` if that is not known yet.
  package var speaksOurProtocols: Bool? {
    driver.map { $0 == "u-blox" || $0.holds("NMEA") || $0.hasPrefix("MTK") }
  }
}

/// Extracts the objects within an object of gpsd's JSON.
///
/// libgps 3.22 hangs on a list of devices with unexpected content; parsing the devices one by one avoids that.
enum GPSDObjects {
  /// Maximum number of objects: more than gpsd can have.
  static let maximumObjects = 64

  /// The objects directly within the outermost one and its lists; truncated objects are left out.
  static func inner(of line: [UInt8]) -> [ArraySlice<UInt8>] {
    var objects: [ArraySlice<UInt8>] = []
    var depth = 0
    var start = 0
    var isText = false
    var isEscaped = false
    for (index, byte) in line.enumerated() {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"):
        depth += 1
        if depth == 2 { start = index }
      case UInt8(ascii: "}"):
        if depth == 2, objects.count < maximumObjects { objects.append(line[start...index]) }
        depth -= 1
      default: break
      }
    }
    return objects
  }
}

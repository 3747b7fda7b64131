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

/// The objects within an object of gpsd's JSON.
///
/// libgps 3.22 never comes back from a list of devices that is not as it expects: it is given the devices one by one, which it
/// can take.
enum GPSDObjects {
  /// More than any gpsd has.
  static let maximumObjects = 64

  /// The objects directly within the outermost one and its lists; those that are cut off are left out.
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

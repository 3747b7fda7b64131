package import Geodesy
import LocationPolicy

/// What one receiver said of the sky in one epoch, with or without a fix. Strings that a device supplied are sanitized and
/// bounded.
package struct SkyReport: Hashable, Sendable {
  /// More than all systems have in orbit over one place.
  package static let maximumSatellites = 128

  /// What the epoch is about; `nil` where the receiver has told no time.
  package var time: GNSSTime?
  /// What is believed of that time.
  package var timeValidity: TimeValidity?
  /// Its node, as `devices` lists it.
  package var device: String
  /// Its stable identity.
  package var receiver: String?
  /// The fix that it has; `nil`: it says that it has none.
  package var fix: FixKind?
  /// Dilutions of precision, above zero: horizontal, vertical, of position. `nil`: not told, or no solution.
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  /// Satellites in the solution: as the receiver counts them, or as it lists them where that is more. `nil`: not told.
  package var satellitesUsed: Int?
  /// At most `maximumSatellites`, by constellation and number; `nil`: the receiver has listed none yet.
  package var satellites: [SatelliteReport]?
  /// How much older the list is than the epoch: receivers may list their satellites less often. Zero: it is the epoch's own.
  package var listAge: Duration = .zero
  /// Whether any of it came from a replay or a simulator.
  package var isSimulated = false

  /// A report of which only the receiver is known.
  package init(device: String) { self.device = device }
}

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

/// A satellite system, in the order in which satellites are listed.
package enum SatelliteConstellation: String, CaseIterable, Hashable, Sendable {
  case gps, glonass, galileo, beidou, qzss, navic, sbas
  /// Transmitters indoors that speak as GPS satellites do.
  case imes
}

/// What clients without exact access are not told: what the receivers receive, and which receivers exactly they are.
extension DeviceDescription {
  /// The device with no more of its state than whether its port is open, and without its serial number.
  package var withoutSky: DeviceDescription {
    var device = self
    switch state {
    case .opening, .hunting, .identified, .fixing, .silent, .open: device.state = .open
    case .closed, .busy, .denied, .untrusted: break
    }
    device.id = Self.withoutSerialNumber(id)
    device.path = ServiceStatus.withoutSerialNumber(path)
    return device
  }

  /// "usb-1546-01a7-12345678" as "usb-1546-01a7"; other names of devices hold none.
  private static func withoutSerialNumber(_ id: String) -> String {
    let parts = id.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "usb", !parts[2].contains("@") else {
      return ServiceStatus.withoutSerialNumber(id)
    }
    return parts.prefix(3).joined(separator: "-")
  }
}

extension ServiceStatus {
  /// The status without what the receivers receive: no plan, no age of the last fix, no use of the radio.
  package var withoutSky: ServiceStatus {
    var status = self
    status.devices = devices.map(\.withoutSky)
    status.source = Self.withoutSerialNumber(source)
    (status.plan, status.lastFixAge, status.isSkyHidden) = (.nothing, nil, true)
    // That it is switched off is a setting, and no observation.
    if status.wifi != .off { status.wifi = nil }
    return status
  }

  /// udev's links by name hold the serial number ("/dev/serial/by-id/usb-u-blox_AG_12345678-if00").
  static func withoutSerialNumber(_ path: String) -> String {
    let folder = "/by-id/"
    var start = path.utf8.startIndex
    while start < path.utf8.endIndex {
      if path.utf8[start...].starts(with: folder.utf8) {
        return String(path[..<path.utf8.index(start, offsetBy: folder.utf8.count)]) + "*"
      }
      start = path.utf8.index(after: start)
    }
    return path
  }
}

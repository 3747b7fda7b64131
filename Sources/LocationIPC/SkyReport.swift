package import Geodesy
import LocationPolicy

/// One receiver's report of the satellites in one epoch, with or without a fix. Strings that a device supplied are sanitized
/// and bounded.
package struct SkyReport: Hashable, Sendable {
  /// More than all systems together have above one place.
  package static let maximumSatellites = 128

  /// The time of the epoch; `nil` if the receiver has reported none.
  package var time: GNSSTime?
  /// How far that time can be trusted.
  package var timeValidity: TimeValidity?
  /// The receiver's device node, as `devices` lists it.
  package var device: String
  /// The receiver's stable identity.
  package var receiver: String?
  /// The kind of fix; `nil`: the receiver reports that it has none.
  package var fix: FixKind?
  /// Dilutions of precision, above zero: horizontal, vertical, of position. `nil`: not reported, or no solution.
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  /// Satellites in the solution: the receiver's count, or that of its list if it is greater. `nil`: not reported.
  package var satellitesUsed: Int?
  /// At most `maximumSatellites`, by constellation and number; `nil`: the receiver has listed none yet.
  package var satellites: [SatelliteReport]?
  /// How much older the list is than the epoch: receivers may list their satellites less often. Zero: the list is of this
  /// epoch.
  package var listAge: Duration = .zero
  /// Whether any of it comes from a replay or a simulator.
  package var isSimulated = false

  /// Creates a report with only a receiver.
  package init(device: String) { self.device = device }
}

/// One satellite, as reported by a receiver.
package struct SatelliteReport: Hashable, Sendable {
  package var constellation: SatelliteConstellation
  /// Number within the constellation, from 1 (PRN, slot or space vehicle number); of SBAS the PRN, from 120.
  package var number: Int
  /// Degrees above the horizon, −90…90; `nil`: unknown.
  package var elevationDegrees: Int?
  /// Degrees clockwise from true north, 0…359; `nil`: unknown.
  package var azimuthDegrees: Int?
  /// Carrier to noise density in dB-Hz of the strongest signal, above zero; `nil`: not received.
  package var signalDecibelHertz: Int?
  /// Whether the solution uses it; `nil`: not reported.
  package var isUsed: Bool?
  /// Its health, according to the satellite or the receiver; `nil`: not reported.
  package var isHealthy: Bool?
  /// The single signals, if the receiver reports them; else empty.
  package var signals: [SatelliteSignal] = []

  /// Creates a satellite with only a name.
  package init(_ constellation: SatelliteConstellation, _ number: Int) {
    self.constellation = constellation
    self.number = number
  }
}

/// One signal of a satellite.
package struct SatelliteSignal: Hashable, Sendable {
  /// The name in the system's interface documents: `L1 C/A`, `E5a`, `B1I`.
  package var name: String
  /// dB-Hz, above zero; `nil`: not received.
  package var decibelHertz: Int?

  package init(name: String, decibelHertz: Int?) {
    self.name = name
    self.decibelHertz = decibelHertz
  }
}

/// A satellite system, in the order in which satellites are listed.
package enum SatelliteConstellation: UInt8, CaseIterable, Hashable, Sendable {
  case gps = 0, glonass = 1, galileo = 2, beidou = 3, qzss = 4, navic = 5, sbas = 6
  /// Indoor transmitters that send signals as GPS satellites do.
  case imes = 7

  /// As in the JSON output.
  package var name: String { "\(self)" }
}

/// What clients without exact access must not receive: the reception of the receivers, and their exact identity.
extension DeviceDescription {
  /// The device reduced to whether its port is open, and without its serial number.
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

  /// "usb-1546-01a7-12345678" as "usb-1546-01a7"; other device IDs contain no serial number.
  private static func withoutSerialNumber(_ id: String) -> String {
    let parts = id.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "usb", !parts[2].contains("@") else {
      return ServiceStatus.withoutSerialNumber(id)
    }
    return parts.prefix(3).joined(separator: "-")
  }
}

extension ServiceStatus {
  /// The status without the reception of the receivers: no plan, nothing about the last fix or the satellites, no use of the radio.
  package var withoutSky: ServiceStatus {
    var status = self
    status.devices = devices.map(\.withoutSky)
    status.source = Self.withoutSerialNumber(source)
    (status.plan, status.lastFixAge, status.isSkyHidden) = (.nothing, nil, true)
    (status.lastFixRadius68, status.satellitesUsed, status.satellitesInView) = (nil, nil, nil)
    // The station and what its state says of the receivers.
    status.corrections = nil
    status.time = nil
    // That Wi-Fi is off is a setting, and reveals no observation.
    if status.wifi != .off { status.wifi = nil }
    return status
  }

  /// The path with `*` for all that follows `/by-id/`: udev's links by ID contain the serial number
  /// ("/dev/serial/by-id/usb-u-blox_AG_12345678-if00").
  package static func withoutSerialNumber(_ path: String) -> String {
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

import LocationPolicy

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

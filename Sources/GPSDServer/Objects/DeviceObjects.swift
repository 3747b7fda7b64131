package import Geodesy
package import LocationIPC

/// The receivers as clients see them, and since when each is open. One value for all clients of a server.
package struct GPSDDeviceList: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var device: DeviceDescription
    /// When the service opened it, by the machine's clock; `nil` unless it is open.
    package var activated: GNSSTime?

    package var isOpen: Bool { activated != nil }

    /// The device, reduced to the data that a client with this access may receive.
    func shown(to access: GPSDAccess) -> DeviceDescription { access == .full ? device : device.withoutSky }
  }

  /// The receivers that the service opens or has open.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Replaces the devices.
  ///
  /// - Parameter clock: the reading of the machine's clock.
  package mutating func update(_ devices: [DeviceDescription], clock: GNSSTime) {
    let old = entries
    entries = devices.filter(\.state.isServed).map { device in
      let activated = old.first { $0.device.path == device.path }?.activated ?? clock
      return Entry(device: device, activated: device.state.isOpen ? activated : nil)
    }
  }

  /// The receiver with this path: its real path, or the path that clients with this access see.
  func entry(_ path: String, for access: GPSDAccess) -> Entry? {
    entries.first { $0.device.path == path || $0.shown(to: access).path == path }
  }
}

extension DeviceState {
  /// Whether the service has the port open.
  fileprivate var isOpen: Bool {
    switch self {
    case .hunting, .identified, .fixing, .silent, .open: true
    case .closed, .opening, .busy, .denied, .untrusted: false
    }
  }
}

/// DEVICE and DEVICES (gpsd_json(5), "DEVICE", "DEVICES").
extension GPSDObjectBuffer {
  /// The object, without a line end.
  ///
  /// - Parameter cycleSeconds: the time between two fixes of this receiver; `nil`: unknown.
  mutating func appendDevice(_ entry: GPSDDeviceList.Entry, access: GPSDAccess, cycleSeconds: Double?) {
    let device = entry.shown(to: access)
    let isUBX = device.protocolName.map { $0.utf8.count >= 3 && $0.hasSuffix("ubx") } ?? false
    open("DEVICE")
    path("path", device.path)
    // gpsd-py3 and gpsctl need this key and those of the line, also before the receiver is known.
    text("driver", device.protocolName == nil ? "unknown" : isUBX ? "u-blox" : "NMEA0183")
    text("subtype", device.firmware ?? device.chip)
    if let activated = entry.activated { time("activated", activated) }
    if device.state.isReceiving { number("flags", 1) }
    number("native", isUBX ? 1 : 0)
    appendLine(baud: device.baud, cycleSeconds: cycleSeconds)
    flag("readonly", true)
    close()
  }

  /// gpsprof ends with an error if a device with `bps` lacks one of the other keys.
  private mutating func appendLine(baud: Int?, cycleSeconds: Double?) {
    number("bps", baud ?? 0)
    // Every port is opened with 8 data bits, no parity, one stop bit.
    text("parity", "N")
    number("stopbits", 1)
    // As gpsd does until it knows the cycle (gpsd_init, libgpsd_core.c).
    number("cycle", cycleSeconds ?? 1, decimals: 2)
  }

  /// A receiver that was lost, without a line end. The number 0 instead of a time is gpsd's own form.
  mutating func appendLostDevice(_ path: String) {
    open("DEVICE")
    self.path("path", path)
    number("activated", 0)
    close()
  }

  /// The list, with its line end. It has at least one entry, because clients fail without any: if there is no receiver,
  /// the service itself.
  mutating func appendDevices(
    _ list: GPSDDeviceList, access: GPSDAccess, selected: String, cycleSeconds: Double?, activated: GNSSTime?
  ) {
    let start = end
    append("{\"class\":\"DEVICES\",\"devices\":[")
    if list.entries.isEmpty { appendServiceDevice(activated: activated) }
    for (index, entry) in list.entries.enumerated() {
      let cycle = entry.device.path == selected ? cycleSeconds : nil
      guard element(index, of: start, { $0.appendDevice(entry, access: access, cycleSeconds: cycle) }) else { break }
    }
    append("]}")
    endLine()
  }

  /// The service as a source of fixes from no receiver, such as Wi-Fi, without a line end.
  mutating func appendServiceDevice(activated: GNSSTime?) {
    open("DEVICE")
    text("path", GPSDPath.service)
    text("driver", GPSDPath.service)
    if let activated {
      time("activated", activated)
      number("flags", 1)
    }
    number("native", 0)
    appendLine(baud: nil, cycleSeconds: nil)
    flag("readonly", true)
    close()
  }
}

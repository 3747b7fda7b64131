/// One device node that bytes of a receiver could come from, with everything that is known without opening it.
package struct SerialDevice: Hashable, Sendable {
  /// Stable across replugs and other names: see `DeviceIdentifier`. Printable ASCII without spaces.
  package var id: String
  /// The kernel's node: `/dev/ttyACM0`.
  package var path: String
  package var subsystem: DeviceSubsystem
  package var bus: DeviceBus
  package var usb: USBIdentity?
  /// bInterfaceNumber of the USB interface behind the node.
  package var usbInterface: UInt8?
  /// Strings of the USB device, sanitized and bounded.
  package var serialNumber: String?
  package var product: String?
  package var manufacturer: String?
  /// Where it is plugged in: `0000:01:00.0-1.4`, `fe201000.serial`; `nil` where sysfs does not say.
  package var topology: String?
  /// Other names of the node: `/dev/serial/by-id/…`, `/dev/serial0`. Sorted, bounded.
  package var symlinks: [String] = []
  package var classification: DeviceClassification

  package init(
    id: String, path: String, subsystem: DeviceSubsystem, bus: DeviceBus, classification: DeviceClassification
  ) {
    self.id = id
    self.path = path
    self.subsystem = subsystem
    self.bus = bus
    self.classification = classification
  }

  /// Whether it may be opened without the user naming its path.
  package func mayBeOpened(trusting trusted: DeviceList) -> Bool {
    switch classification {
    case .receiver: true
    case .adapter, .ignored: trusted.contains(id)
    }
  }
}

/// The kernel subsystem that a device node belongs to.
package enum DeviceSubsystem: String, Hashable, Sendable {
  case tty
  case gnss
}

/// What a serial port hangs on: a UART is always there, a USB device was plugged in by someone.
package enum DeviceBus: String, Hashable, Sendable {
  case usb
  /// A port of the board or of an expansion card.
  case uart
  /// `rfcomm`: a serial link over Bluetooth.
  case bluetooth
  /// sysfs does not say.
  case unknown
}

/// Gives a device a name that survives a replug, another node name and, where it can, another socket.
///
/// - `usb-1546-01a7-12345678`: VID, PID and the USB serial number, where that can be unique;
/// - `usb-10c4-ea60@0000:01:00.0-1.4`: VID, PID, host controller and port chain, where it cannot;
/// - `uart@fe201000.serial`, `gnss@…`: the device that the port belongs to;
/// - `/dev/ttyAMA0`: the node, where sysfs tells nothing.
///
/// Interface and port follow (`.if2`, `.port1`) on adapters that have several.
package enum DeviceIdentifier {
  package static func make(
    path: String, subsystem: DeviceSubsystem, bus: DeviceBus, usb: USBIdentity?, serialNumber: String?,
    topology: String?,
    usbInterface: UInt8?, port: UInt8?
  ) -> String {
    guard let usb else {
      guard let topology else { return path }
      return (subsystem == .gnss ? "gnss@" : "\(bus.rawValue)@") + topology
    }
    var id = "usb-\(HexText.digits4(usb.vendorID))-\(HexText.digits4(usb.productID))"
    if let serialNumber, canBeUnique(serialNumber), let text = DeviceText.identifier(serialNumber.utf8) {
      id += "-" + text
    } else if let topology {
      id += "@" + topology
    } else {
      return path
    }
    if let usbInterface, usbInterface != 0 { id += ".if\(usbInterface)" }
    if let port, port != 0 { id += ".port\(port)" }
    return id
  }

  /// Adapters leave the factory with `0001`, `123456` or zeros as their serial number: two of them would share an identity,
  /// and trusting one would open the other.
  static func canBeUnique(_ serialNumber: String) -> Bool {
    let bytes = Array(serialNumber.utf8)
    guard bytes.count >= 5, Set(bytes).count > 2 else { return false }
    return !"0123456789".holds(serialNumber) && !"1234567890".holds(serialNumber)
  }
}

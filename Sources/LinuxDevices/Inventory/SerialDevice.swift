import Geodesy

/// A device node that may be a receiver, with everything that is known without opening it.
package struct SerialDevice: Hashable, Sendable {
  /// Stays the same when the device is replugged or its node is renamed: see `DeviceIdentifier`. Printable ASCII
  /// without spaces.
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
  /// The physical location: `0000:01:00.0-1.4`, `fe201000.serial`; `nil` if sysfs does not list it.
  package var topology: String?
  /// Links to the node: `/dev/serial/by-id/…`, `/dev/serial0`. Sorted, limited in number.
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

/// The bus of a serial port: a UART is built in, a USB device was plugged in by a user.
package enum DeviceBus: String, Hashable, Sendable {
  case usb
  /// A port of the board or of an expansion card.
  case uart
  /// `rfcomm`: a serial link over Bluetooth.
  case bluetooth
  /// A bus that sysfs does not list.
  case unknown
}

/// Makes an identifier that stays the same when the device is replugged, when its node is renamed and, if possible,
/// when it is moved to another socket.
///
/// - `usb-1546-01a7-12345678`: VID, PID and the USB serial number, if that can be unique;
/// - `usb-10c4-ea60@0000:01:00.0-1.4`: VID, PID, host controller and port chain otherwise;
/// - `uart@fe201000.serial`, `gnss@…`: the device that the port belongs to;
/// - `/dev/ttyAMA0`: the node, if sysfs does not list it.
///
/// On adapters with several interfaces or ports, these follow (`.if2`, `.port1`).
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

  /// Whether a serial number can be unique. Adapters leave the factory with `0001`, `123456` or zeros as their serial
  /// number: two such adapters would share an identifier, and trusting one would open the other.
  static func canBeUnique(_ serialNumber: String) -> Bool {
    let bytes = Array(serialNumber.utf8)
    guard bytes.count >= 5, Set(bytes).count > 2 else { return false }
    return !"0123456789".holds(serialNumber) && !"1234567890".holds(serialNumber)
  }
}

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

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

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

import LinuxDevices
import Testing

@Suite struct DeviceIdentifierTests {
  private func usb(serial: String?, topology: String? = "0000:01:00.0-1.4", interface: UInt8? = 0, port: UInt8? = nil)
    -> String
  {
    DeviceIdentifier.make(
      path: "/dev/ttyUSB3", subsystem: .tty, bus: .usb, usb: USBIdentity(vendorID: 0x10C4, productID: 0xEA60),
      serialNumber: serial, topology: topology, usbInterface: interface, port: port)
  }

  @Test func aSerialNumberNamesTheDeviceWhereverItIsPlugged() {
    #expect(usb(serial: "0addfc38c7f9") == "usb-10c4-ea60-0addfc38c7f9")
    #expect(usb(serial: "0addfc38c7f9", topology: nil) == "usb-10c4-ea60-0addfc38c7f9")
  }

  @Test(arguments: [nil, "", "0001", "000000000", "12345678", "1111122222"])
  func aSharedSerialNumberIsIgnored(serial: String?) {
    #expect(usb(serial: serial) == "usb-10c4-ea60@0000:01:00.0-1.4")
  }

  @Test func portsOfOneAdapterDiffer() {
    #expect(usb(serial: "0addfc38c7f9", interface: 2) == "usb-10c4-ea60-0addfc38c7f9.if2")
    #expect(usb(serial: "0addfc38c7f9", port: 1) == "usb-10c4-ea60-0addfc38c7f9.port1")
  }

  /// A device cannot choose a serial number that looks like another device's place or breaks a line of the file of trusted
  /// devices.
  @Test func aHostileSerialNumberStaysAName() {
    let id = usb(serial: "x@0000:01:00.0-1.4\n#\u{1B}[31m ü")
    #expect(id == "usb-10c4-ea60-x_0000:01:00.0-1.4____31m")
    #expect(DeviceList.isIdentifier(id))
    #expect(DeviceList.isIdentifier(usb(serial: String(repeating: "Ab9", count: 400))))
  }

  @Test func withoutUSBThePlaceNamesItAndWithoutAPlaceTheNode() {
    #expect(
      DeviceIdentifier.make(
        path: "/dev/ttyAMA0", subsystem: .tty, bus: .uart, usb: nil, serialNumber: nil, topology: "fe201000.serial",
        usbInterface: nil, port: nil) == "uart@fe201000.serial")
    #expect(
      DeviceIdentifier.make(
        path: "/dev/gnss0", subsystem: .gnss, bus: .uart, usb: nil, serialNumber: nil, topology: "serial1-0",
        usbInterface: nil, port: nil) == "gnss@serial1-0")
    #expect(usb(serial: nil, topology: nil) == "/dev/ttyUSB3")
  }
}

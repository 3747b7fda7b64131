/// A USB serial port as created by cdc_acm or usb-serial, with the properties that udev's rules would add to the event.
package struct BedPort {
  package var name: String
  package var minor: Int
  package var vendor: String
  package var product: String
  package var strings: [String: String]
  package var properties: [String: String]
  package var place: String
  /// Whether the USB device behind it is in the bed already: umockdev does not remove those.
  package var isReplugged = false

  package init(
    name: String, minor: Int, vendor: String, product: String, strings: [String: String] = [:],
    properties: [String: String] = [:], place: String = "1-1"
  ) {
    self.name = name
    self.minor = minor
    self.vendor = vendor
    self.product = product
    self.strings = strings
    self.properties = properties
    self.place = place
  }

  package var usbFolder: String { "/devices/pci0000:00/0000:00:14.0/usb1/\(place)" }
  package var folder: String { "\(usbFolder)/\(place):1.0/tty/\(name)" }

  var description: String {
    let attributes = strings.map { "A: \($0.key)=\($0.value)\n" }.joined()
    let extra = properties.map { "E: \($0.key)=\($0.value)\n" }.joined()
    let usb = """
      P: \(usbFolder)
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_device
      A: idVendor=\(vendor)
      A: idProduct=\(product)
      \(attributes)
      P: \(usbFolder)/\(place):1.0
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_interface
      A: bInterfaceNumber=00
      A: bInterfaceClass=02
      A: bInterfaceSubClass=02
      A: bInterfaceProtocol=01


      """
    let tty = """
      P: \(folder)
      N: \(name)
      E: SUBSYSTEM=tty
      E: DEVNAME=/dev/\(name)
      E: MAJOR=166
      E: MINOR=\(minor)
      \(extra)A: dev=166:\(minor)
      L: device=../../../\(place):1.0

      """
    return isReplugged ? tty : usb + tty
  }
}

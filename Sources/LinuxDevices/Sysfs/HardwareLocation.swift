import Geodesy

/// The hardware behind a device node, found in sysfs from the node's folder up to the root of all devices.
struct HardwareLocation: Hashable, Sendable {
  /// Folder of the USB device, which contains `idVendor`.
  var usbFolder: String?
  var usb: USBIdentity?
  /// bInterfaceNumber.
  var usbInterface: UInt8?
  /// `port_number` of a usb-serial adapter with several ports.
  var port: UInt8?
  /// Host controller and port chain, or the platform device.
  var topology: String?

  /// Maximum number of levels; real hardware has fewer: hubs nest five deep.
  private static let maximumDepth = 32

  /// - Parameters:
  ///   - folder: the node's canonical folder in sysfs: `/sys/devices/…/tty/ttyACM0`.
  ///   - name: the node's kernel name.
  init(folder: String, name: String, in tree: FileTree) {
    var current = folder
    for _ in 0..<Self.maximumDepth {
      guard current.hasPrefix("/sys/devices/") else { break }
      if port == nil, let number = tree.text(of: current + "/port_number", limit: 8) { port = UInt8(number) }
      if usbInterface == nil, let text = tree.text(of: current + "/bInterfaceNumber", limit: 8) {
        usbInterface = UInt8(text, radix: 16)
      }
      if let vendor = tree.text(of: current + "/idVendor", limit: 8).flatMap(HexText.value),
        let product = tree.text(of: current + "/idProduct", limit: 8).flatMap(HexText.value)
      {
        usb = USBIdentity(vendorID: vendor, productID: product)
        usbFolder = current
        topology = Self.usbTopology(current)
        return
      }
      current = Self.parent(current)
    }
    topology = Self.platformTopology(folder, name: name)
  }

  /// `/sys/devices/…/0000:01:00.0/usb1/1-1/1-1.4` becomes `0000:01:00.0-1.4`: bus numbers change from boot to boot,
  /// controllers and ports do not.
  private static func usbTopology(_ folder: String) -> String? {
    let parts = folder.split(separator: "/").map(String.init)
    guard let device = parts.last, let dash = device.firstIndex(of: "-") else { return nil }
    let ports = device[device.index(after: dash)...]
    let hub = parts.lastIndex { $0.hasPrefix("usb") && $0.dropFirst(3).allSatisfy(\.isNumber) && $0.count > 3 }
    guard let hub, hub > 0 else { return DeviceText.identifier(device.utf8) }
    return DeviceText.identifier((parts[hub - 1] + "-" + ports).utf8)
  }

  /// The name of the platform, PNP, PCI or AMBA device. Since 6.5 the kernel's serial core inserts `X:0/X:0.0` below
  /// that device.
  private static func platformTopology(_ folder: String, name: String) -> String? {
    var parts = folder.split(separator: "/").map(String.init)
    guard parts.last == name else { return nil }
    parts.removeLast()
    if let last = parts.last, last == "tty" || last == "gnss" { parts.removeLast() }
    while parts.count > 3, let last = parts.last, last.hasPrefix(parts[parts.count - 2] + ":") { parts.removeLast() }
    if let last = parts.last, parts.count > 3, parts[parts.count - 2].contains(":"), last.holds(":0."),
      last.hasPrefix(parts[parts.count - 2])
    {
      parts.removeLast(2)
    }
    guard parts.count > 2, let leaf = parts.last, let leafText = DeviceText.identifier(leaf.utf8) else { return nil }
    // An 8250 device may have several ports at one address; the driver's port number distinguishes them.
    return name.hasPrefix("ttyS") ? leafText + "-" + name : leafText
  }

  private static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }
}

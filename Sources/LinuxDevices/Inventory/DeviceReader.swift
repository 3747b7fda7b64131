/// Reads a node's description from sysfs. Only this type creates a `SerialDevice`, so that identifiers and
/// classifications are the same with and without udev.
struct DeviceReader: Sendable {
  let tree: FileTree

  static let maximumSymlinks = 16

  /// udev's facts about a node. Without udev, `NodeSource` finds the symbolic links, and no node is tagged.
  struct UdevFacts {
    var symlinks: [String] = []
    var isTaggedReceiver = false
  }

  /// `nil` if the node is not a serial port with hardware behind it.
  func device(name: String, subsystem: DeviceSubsystem, folder: String?, facts: UdevFacts) -> SerialDevice? {
    guard Self.isCandidate(name, subsystem: subsystem) else { return nil }
    let path = "/dev/" + name
    guard tree.isCharacterDevice(path) else { return nil }
    guard let folder else { return undescribed(name: name, path: path, subsystem: subsystem, facts: facts) }
    // Virtual consoles and pseudo terminals have no device behind them.
    guard tree.exists(folder + "/device") else { return nil }
    // PORT_UNKNOWN (serial_core.h): the 8250 driver creates nodes for ports that the board does not have.
    if name.hasPrefix("ttyS"), let type = tree.text(of: folder + "/type", limit: 16), type == "0" { return nil }

    let location = HardwareLocation(folder: folder, name: name, in: tree)
    let bus: DeviceBus =
      location.usb != nil ? .usb : name.hasPrefix("rfcomm") ? .bluetooth : location.topology == nil ? .unknown : .uart
    var serialNumber: String?
    var product: String?
    var manufacturer: String?
    if let usbFolder = location.usbFolder {
      serialNumber = deviceText(usbFolder + "/serial")
      product = deviceText(usbFolder + "/product")
      manufacturer = deviceText(usbFolder + "/manufacturer")
    }
    let id = DeviceIdentifier.make(
      path: path, subsystem: subsystem, bus: bus, usb: location.usb, serialNumber: serialNumber,
      topology: location.topology, usbInterface: location.usbInterface, port: location.port)
    var evidence = ReceiverCatalog.Evidence(subsystem: subsystem, usb: location.usb, product: product)
    evidence.isTaggedReceiver = facts.isTaggedReceiver
    var device = SerialDevice(
      id: id, path: path, subsystem: subsystem, bus: bus, classification: ReceiverCatalog.classify(evidence))
    device.usb = location.usb
    device.usbInterface = location.usbInterface
    device.serialNumber = serialNumber
    device.product = product
    device.manufacturer = manufacturer
    device.topology = location.topology
    device.symlinks = Array(facts.symlinks.sorted().prefix(Self.maximumSymlinks))
    return device
  }

  /// A node that sysfs does not list, as in a container that was given only the node. Nodes of the 8250 driver are left
  /// out, because they always exist, even without hardware.
  private func undescribed(name: String, path: String, subsystem: DeviceSubsystem, facts: UdevFacts) -> SerialDevice? {
    guard !name.hasPrefix("ttyS") else { return nil }
    var evidence = ReceiverCatalog.Evidence(subsystem: subsystem)
    evidence.isTaggedReceiver = facts.isTaggedReceiver
    var device = SerialDevice(
      id: path, path: path, subsystem: subsystem, bus: .unknown, classification: ReceiverCatalog.classify(evidence))
    device.symlinks = Array(facts.symlinks.sorted().prefix(Self.maximumSymlinks))
    return device
  }

  private func deviceText(_ path: String) -> String? {
    tree.bytes(of: path, limit: 256).flatMap { DeviceText.sanitized($0) }
  }

  /// Kernel names of serial ports: `ttyUSB0`, `ttyACM0`, `ttyAMA0`, `ttymxc1`, `rfcomm0`, `gnss0`; neither `tty7` nor
  /// `ttyprintk`, nor the device side of a USB gadget (`ttyGS0`), with which this system acts as a device for another
  /// system.
  static func isCandidate(_ name: String, subsystem: DeviceSubsystem) -> Bool {
    guard name.utf8.count <= 32, let last = name.utf8.last, (0x30...0x39).contains(last),
      name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
    else { return false }
    switch subsystem {
    case .gnss:
      return name.hasPrefix("gnss")
    case .tty:
      if name.hasPrefix("rfcomm") { return true }
      guard name.hasPrefix("tty"), let fourth = name.utf8.dropFirst(3).first else { return false }
      return !(0x30...0x39).contains(fourth) && !name.hasPrefix("ttyGS")
    }
  }
}

import Foundation
import LinuxDevices

/// A folder that stands for `/`: the test writes `dev`, `sys` and `proc` into it; it is removed with this object.
final class FixtureTree {
  let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.path + "/devices-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var tree: FileTree { FileTree(root: root) }

  func folder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: root + path, withIntermediateDirectories: true)
  }

  func file(_ path: String, _ text: String) throws {
    try folder((path as NSString).deletingLastPathComponent)
    try Data(text.utf8).write(to: URL(fileURLWithPath: root + path))
  }

  func link(_ path: String, to target: String) throws {
    try folder((path as NSString).deletingLastPathComponent)
    try? FileManager.default.removeItem(atPath: root + path)
    try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: target)
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: root + path) }

  /// A device node: a link to a real character device, because creating one requires a privilege.
  func node(_ name: String) throws { try link("/dev/" + name, to: "/dev/null") }

  /// The entries in sysfs for a USB serial port, as created by cdc_acm.
  func usbPort(
    _ name: String, vendor: String, product: String, strings: [String: String] = [:], place: String = "1-1.4"
  ) throws {
    let device = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/\(place)"
    try file(device + "/idVendor", vendor + "\n")
    try file(device + "/idProduct", product + "\n")
    for (attribute, text) in strings { try file("\(device)/\(attribute)", text + "\n") }
    let interface = "\(device)/\(place):1.0"
    try file(interface + "/bInterfaceNumber", "00\n")
    try folder("\(interface)/tty/\(name)")
    try link("\(interface)/tty/\(name)/device", to: "../../../\(place):1.0")
    try link("/sys/class/tty/\(name)", to: "../../../\(interface.dropFirst())/tty/\(name)")
  }

  /// A port of the board: `type` as in the 8250 driver, `nil` for other drivers.
  func uart(_ name: String, device: String, type: String? = nil) throws {
    let folder = "/sys/devices/platform/\(device)/tty/\(name)"
    try self.folder(folder)
    try link(folder + "/device", to: "../..")
    if let type { try file(folder + "/type", type + "\n") }
    try link("/sys/class/tty/\(name)", to: "../../..\(folder)")
  }
}

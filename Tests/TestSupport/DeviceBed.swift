import Foundation

/// `device-bed`, which holds umockdev's test bed: the test adds and removes devices in it.
package final class DeviceBed {
  private static let preload = "libumockdev-preload.so.0"

  /// `false` if umockdev is not installed: `apt-get install umockdev`.
  package static let isInstalled = (try? DeviceBed()) != nil

  private let process: HelperProcess
  package let root: String

  package init() throws {
    process = try HelperProcess("device-bed", environment: ["LD_PRELOAD": Self.preload])
    root = String(decoding: process.next() ?? [], as: UTF8.self)
    guard root.hasPrefix("/") else { throw Absent() }
  }

  package struct Absent: Error {}

  package struct Refused: Error { let command: String }

  /// The environment of a process that is to run in the bed.
  package var environment: [String: String] { ["LD_PRELOAD": Self.preload, "UMOCKDEV_DIR": root] }

  /// Adds the device without an event.
  package func add(_ port: BedPort) throws { try add(description: port.description) }

  /// Adds devices in umockdev's format, parents first.
  package func add(description: String) throws { try command("add\n\(description)\n.") }

  package func plug(_ port: BedPort) throws {
    try add(port)
    try send("add", port)
  }

  package func unplug(_ port: BedPort) throws {
    try send("remove", port)
    try command("remove /sys\(port.folder)")
  }

  /// Sends an event like udev after its rules.
  package func send(_ action: String, _ port: BedPort) throws { try command("event \(action) /sys\(port.folder)") }

  /// The device sends a line.
  package func write(_ text: String, from port: BedPort) throws { try command("write /dev/\(port.name) \(text)") }

  private func command(_ text: String) throws {
    try process.send(text + "\n")
    guard String(decoding: process.next() ?? [], as: UTF8.self) == "done" else { throw Refused(command: text) }
  }
}

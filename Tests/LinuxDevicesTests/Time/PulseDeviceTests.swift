import Foundation
import Geodesy
import LinuxDevices
import Testing
import TimeService

/// PPS devices in a tree of files as sysfs has them.
@Suite struct PulseDeviceTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent("pps-\(UUID().uuidString)")

  private func tree(_ devices: [String: (path: String, assert: String)], _ body: (PulseDevices) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: root) }
    for (name, device) in devices {
      let folder = root.appendingPathComponent("sys/class/pps/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("\(device.path)\n".utf8).write(to: folder.appendingPathComponent("path"))
      try Data("\(device.assert)\n".utf8).write(to: folder.appendingPathComponent("assert"))
    }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try body(PulseDevices(tree: FileTree(root: root.path)))
  }

  @Test func theDeviceOfThePortComesFirst() throws {
    try tree(["pps0": ("", "0.000000000#0"), "pps1": ("/dev/ttyS0", "1800000000.000001000#7")]) { devices in
      #expect(devices.names == ["pps0", "pps1"])
      #expect(devices.device(of: "ttyS0", .automatic, isOnlyReceiver: false) == "pps1")
      #expect(devices.device(of: "ttyAMA0", .automatic, isOnlyReceiver: true) == "pps0")
      // With several receivers, a pulse at a pin may be any one's.
      #expect(devices.device(of: "ttyAMA0", .automatic, isOnlyReceiver: false) == nil)
      #expect(devices.device(of: "ttyS0", .off, isOnlyReceiver: true) == nil)
      #expect(devices.device(of: "ttyS0", .device("pps0"), isOnlyReceiver: false) == "pps0")
      #expect(devices.device(of: "ttyS0", .device("pps9"), isOnlyReceiver: false) == nil)
      // Before the first pulse there is none.
      #expect(devices.reading(of: "pps0") == nil)
      #expect(
        devices.reading(of: "pps1")
          == PulseReading(system: GNSSTime(nanosecondsSince1970: 1_800_000_000_000_001_000), sequence: 7))
    }
  }

  @Test func withoutAnyThereIsNone() throws {
    try tree([:]) { devices in
      #expect(devices.names == [])
      #expect(devices.device(of: "ttyS0", .automatic, isOnlyReceiver: true) == nil)
    }
  }
}

import Foundation
import Geodesy
import LinuxDevices
import Testing

@Suite struct MainsPowerTests {
  private let root = FileManager.default.temporaryDirectory.path + "/power-" + UUID().uuidString

  private func write(_ supply: String, type: String, online: String) throws {
    let folder = "\(root)/sys/class/power_supply/\(supply)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "\(type)\n".write(toFile: "\(folder)/type", atomically: false, encoding: .utf8)
    try "\(online)\n".write(toFile: "\(folder)/online", atomically: false, encoding: .utf8)
  }

  private func at(_ seconds: Int) -> Instant { Instant(nanoseconds: Int64(seconds) * 1_000_000_000) }

  @Test func onlyPluggingInIsReported() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("BAT0", type: "Battery", online: "1")
    try write("AC", type: "Mains", online: "0")
    var power = MainsPower(FileTree(root: root))
    var reported = power.wasPluggedIn(at: at(0))
    #expect(!reported)
    try write("AC", type: "Mains", online: "1")
    reported = power.wasPluggedIn(at: at(10))
    #expect(!reported, "not read so soon")
    reported = power.wasPluggedIn(at: at(40))
    #expect(reported)
    reported = power.wasPluggedIn(at: at(80))
    #expect(!reported, "it still is")
    try write("AC", type: "Mains", online: "0")
    reported = power.wasPluggedIn(at: at(120))
    #expect(!reported)
    try write("usb", type: "USB_PD", online: "1")
    reported = power.wasPluggedIn(at: at(160))
    #expect(reported)
  }

  @Test func aMachineWithoutAChargerReportsNothing() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    var power = MainsPower(FileTree(root: root))
    var reported = power.wasPluggedIn(at: at(0))
    #expect(!reported)
    reported = power.wasPluggedIn(at: at(60))
    #expect(!reported)
  }
}

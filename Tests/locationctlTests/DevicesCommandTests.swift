import Foundation
import TestSupport
import Testing

/// `locationctl devices` as a person runs it, on a machine whose devices umockdev simulates.
@Suite(.enabled(if: DeviceBed.isInstalled, "umockdev is not installed: apt-get install umockdev"))
struct DevicesCommandTests {
  private let bed: DeviceBed
  private let state: URL

  init() throws {
    bed = try DeviceBed()
    state = FileManager.default.temporaryDirectory.appendingPathComponent("devices-\(UUID().uuidString)")
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    let environment = ["LOCATIOND_STATE": state.path, "LOCATIOND_GPSD": "off"].merging(bed.environment) { $1 }
    return try ProgramRun(["devices"] + arguments, environment: environment)
  }

  private let receiver = BedPort(
    name: "ttyACM0", minor: 0, vendor: "1546", product: "01a8", strings: ["product": "u-blox GNSS receiver"])
  private let adapter = BedPort(
    name: "ttyUSB0", minor: 1, vendor: "10c4", product: "ea60", strings: ["serial": "0addfc38c7f9"], place: "1-2")

  @Test func whatIsAttachedIsListed() throws {
    try bed.add(receiver)
    try bed.add(adapter)
    let listed = try run()
    #expect(listed.status == 0)
    #expect(listed.errors == "")
    let lines = listed.output.split(separator: "\n").sorted()
    try #require(lines.count == 2)
    #expect(lines[0].contains(#""path":"/dev/ttyACM0""#) && lines[0].contains(#""kind":"receiver""#))
    #expect(lines[1].contains(#""id":"usb-10c4-ea60-0addfc38c7f9""#) && lines[1].contains(#""state":"untrusted""#))
  }

  @Test(arguments: ["/dev/ttyUSB0", "usb-10c4-ea60-0addfc38c7f9"])
  func anAdapterIsTrustedAndForgotten(selector: String) throws {
    try bed.add(adapter)
    let trust = try run("trust", selector)
    #expect(trust.status == 0, "\(trust.errors)")
    #expect(try run().output.contains(#""kind":"trusted""#))
    #expect(try run("forget", selector).status == 0)
    #expect(try run().output.contains(#""kind":"adapter""#))
  }

  @Test func anUnknownDeviceIsReported() throws {
    try bed.add(adapter)
    let answer = try run("trust", "/dev/ttyUSB7")
    #expect(answer.status == 69)
    #expect(answer.errors.contains("usb-10c4-ea60-0addfc38c7f9"))
  }

  @Test func nothingAttachedIsAnAnswerToo() throws {
    let listed = try run()
    #expect(listed.status == 0)
    #expect(listed.output == "")
    #expect(listed.errors.contains("plug one in"))
  }
}

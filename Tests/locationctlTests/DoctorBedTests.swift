import Diagnosis
import Foundation
import TestSupport
import Testing

/// `locationctl doctor` on a machine whose devices umockdev simulates, with sysfs and device nodes like those of the kernel. The
/// simulated ports refuse some settings, so that no test here opens a port.
@Suite(.serialized, .enabled(if: DeviceBed.isInstalled, "umockdev is not installed: apt-get install umockdev"))
struct DoctorBedTests {
  private let bed: DeviceBed
  private let state: URL

  init() throws {
    bed = try DeviceBed()
    state = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)")
  }

  private func doctor(_ arguments: String...) throws -> ProgramRun {
    let environment = ["LOCATIOND_STATE": state.path, "LOCATIOND_GPSD": "off"].merging(bed.environment) { $1 }
    return try ProgramRun(["doctor"] + arguments, environment: environment)
  }

  private let adapter = BedPort(
    name: "ttyUSB0", minor: 1, vendor: "10c4", product: "ea60",
    strings: ["serial": "0addfc38c7f9", "product": "CP2102"], place: "1-2")

  private func first(_ run: ProgramRun) -> String { String(run.output.split(separator: "\n").first ?? "") }

  @Test func anUntrustedAdapterIsNotOpened() throws {
    try bed.add(adapter)
    let run = try doctor()
    #expect(first(run).contains(#""finding":"adapter-untrusted""#), "\(run.output)")
    #expect(first(run).contains("The serial adapter /dev/ttyUSB0 (CP2102) may be connected to a receiver"))
    #expect(first(run).contains(#""command":"locationctl devices trust usb-10c4-ea60-0addfc38c7f9""#))
    #expect(run.status == 69)
  }
}

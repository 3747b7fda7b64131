import Diagnosis
import Foundation
import Geodesy
import LocationIPC
import LocationdService
import TestSupport
import Testing
import locationctl

/// The report that a user attaches to an issue.
@Suite struct SelftestReportTests {
  private func report(_ change: (inout SelfTest, inout DeviceDescription) -> Void = { _, _ in }) throws -> (
    text: String, object: [String: Any]
  ) {
    var test = SelfTest()
    test.system.board = "Raspberry Pi 4 Model B Rev 1.4"
    test.system.kernel = "6.12.34+rpt-rpi-v8"
    var device = DeviceDescription(
      id: "usb-1546-01a8-0123456789ab", path: "/dev/serial/by-id/usb-u-blox_0123456789ab-if00", kind: .receiver,
      state: .fixing)
    (device.chip, device.firmware, device.product) = ("UBX-M8030", "ROM SPG 5.10", "u-blox GNSS receiver")
    (device.usbVendorID, device.usbProductID) = (0x1546, 0x01A8)
    change(&test, &device)
    let text = SelftestReport(test, of: [device], source: .automatic, minutes: 10).text
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    return (String(decoding: text, as: UTF8.self), object)
  }

  @Test func itIsOneDocumentWithReadableLines() throws {
    let (text, object) = try report()
    #expect(object["report"] as? String == "selftest")
    #expect(object["schema"] as? Int == 1)
    #expect(object["virtual"] as? Bool == false)
    #expect((object["checks"] as? [[String: Any]])?.count == SelfTestCheckID.allCases.count)
    let receiver = try #require((object["receivers"] as? [[String: Any]])?.first)
    #expect(receiver["chip"] as? String == "UBX-M8030")
    #expect(receiver["firmware"] as? String == "ROM SPG 5.10")
    #expect(receiver["vendorId"] as? String == "1546")
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count < 400 })
  }

  /// Neither the ID nor the path of a receiver is in it, and nothing else that identifies one.
  @Test func nothingIdentifiesTheReceiverOrThePlace() throws {
    let (text, _) = try report { test, device in
      device.product = "u-blox 0123456789ab at 47.28500,8.56500"
      device.firmware = "1.0 b8:27:eb:12:34:56 SN20261124 \u{1B}[31m"
      device.chip = "serial_A9012345"
      test.system.board = "Board 00000000deadbeef99"
      test.series = FixSeries()
    }
    for secret in [
      "0123456789ab", "/dev", "by-id", "47.28", "8.565", "b8:27", "SN20261124", "A9012345", "deadbeef", "\u{1B}",
    ] {
      #expect(!text.contains(secret), "\(secret) in \(text)")
    }
  }

  @Test(arguments: [
    ("EXT CORE 3.01 (107900)", "EXT CORE 3.01 (107900)"), ("HPG 1.32", "HPG 1.32"), ("ZED-F9P-00B", "ZED-F9P-00B"),
    ("6.12.34+rpt-rpi-v8", "6.12.34+rpt-rpi-v8"), ("5.15.0-1053-raspi", "5.15.0-1053-raspi"),
    ("AXN_5.1.7_3333_19020118", "…"), ("x 12:34:56:78:9a:bc", "x …"), ("47.28500", "…"), ("-8.5650", "-…"),
    ("SN:0addfc38c7f9", "…"), ("version 3.14", "version 3.14"),
    ("000A0000", "000A0000"), ("00123456", "…"),
  ]) func wordsThatIdentifyAreRemoved(text: String, expected: String) {
    #expect(ReportScrubber.scrubbed(text) == expected)
  }

  @Test func aVirtualReceiverIsMarked() throws {
    #expect(try report { test, _ in test.system.isVirtualMachine = true }.object["virtual"] as? Bool == true)
    #expect(try report { _, device in device.path = "/dev/pts/3" }.object["virtual"] as? Bool == true)
    #expect(
      try report { _, device in device.path = "/dev/pts/3" }.object["virtualParts"] as? [String] == ["pseudo-terminal"])
  }

  /// The program itself: the report is marked, and contains nothing of the port or the place.
  @Test func theProgramWritesIt() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("report.json")
    let result = try SelftestBed.run(
      receiver: ["ublox8", "hot", "rate=4"], arguments: ["--report", file.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("The report is in \(file.path)"))
    let text = try String(contentsOf: file, encoding: .utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((object["virtualParts"] as? [String])?.contains("pseudo-terminal") == true)
    let receiver = try #require((object["receivers"] as? [[String: Any]])?.first)
    #expect((receiver["chip"] as? String)?.isEmpty == false)
    // The simulated receiver's place and serial number, and this machine's name.
    for secret in ["47.28", "8.56", "/dev/pts", "5c0ffee001", ProcessInfo.processInfo.hostName, NSUserName() + "/"] {
      #expect(!text.lowercased().contains(secret.lowercased()), "\(secret)")
    }
    // It is not overwritten.
    let again = try ProgramRun(
      ["selftest", "--minutes", "0.01", "--source", "serial:/dev/ttyGPS7", "--report", file.path],
      environment: ["LOCATIOND_GPSD": "off", "LOCATIOND_STATE": folder.path])
    #expect(again.status == 73)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func aRecordingIsNoReceiver() throws {
    let run = try ProgramRun(["selftest", "--source", "replay:/tmp/x"])
    #expect(run.status == 64)
    #expect(run.errors.contains("needs a receiver"))
  }

  @Test func peopleReadAList() {
    let lines = String(decoding: SelftestList.text(SelfTest().checks), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "✓ machine        No problem was found.")
    #expect(lines.last == "2 passed, 14 skipped.")
    #expect(lines.count == SelfTestCheckID.allCases.count + 1)
  }

  /// The command leaves no client behind, for which locationd would keep the receiver open: its settings can be compared.
  @Test func locationdReleasesTheReceiverBeforeTheSettingsAreCompared() throws {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot", "rate=4"], environment: [:])
    let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
    let result = try SelftestBed.run(receiver: nil, source: "auto", environment: place.environment)
    #expect(result.outcome(.settings) == "passed", "\(result.checks)")
    withExtendedLifetime((receiver, daemon)) {}
  }

  /// Before ten minutes of measurement: the name can be used, and the check leaves nothing behind.
  @Test func aFileThatCannotBeWrittenIsRefusedAtOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let taken = folder.appendingPathComponent("taken.json")
    try Data("old".utf8).write(to: taken)
    for (path, status, message) in [
      (taken.path, 73, "it exists already): use a new file."),
      (folder.path + "/none/report.json", 73, "no such file or directory): check its folder"),
      ("", 64, "The name of the report is empty"),
    ] {
      // Ten minutes: the run would take longer than the test.
      let run = try ProgramRun(["selftest", "--source", "simulator", "--report", path])
      #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
      #expect(run.output.isEmpty && !run.errors.contains("--force"), "\(run.output)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.json"])
    #expect(try String(contentsOf: taken, encoding: .utf8) == "old")
    // A file that can be written is not there before the report is.
    let missing = try ProgramRun(
      ["selftest", "--source", "serial:/dev/ttyGPS7", "--timeout", "1", "--report", folder.path + "/report.json"])
    #expect(missing.errors.contains("The report is in"), "\(missing.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["report.json", "taken.json"])
  }
}

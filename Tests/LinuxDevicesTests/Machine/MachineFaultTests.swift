import Diagnosis
import Geodesy
import LinuxDevices
import Testing

@Suite struct MachineFaultTests {
  @Test(arguments: MachineFault.allCases) func aFaultOfTheMachineIsTheFirstFinding(fault: MachineFault) throws {
    let machine = try MachineTree()
    try fault.inject(into: machine)
    let findings = try machine.findings()
    let first = try #require(findings.first)
    let expected = fault.expected
    #expect(first.code == expected.code, "\(findings.map(\.code))")
    #expect(first.sentence.contains(expected.cause), "\(first.sentence)")
    #expect(first.command.contains(expected.command), "\(first.command)")
    for finding in findings {
      #expect(finding.sentence.hasSuffix("."))
      #expect(finding.sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(finding.sentence)")
      #expect(!finding.command.isEmpty)
    }
  }

  @Test(arguments: [
    "Raspberry Pi 3 Model B Plus Rev 1.3", "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5 Model B Rev 1.0",
    "Raspberry Pi Zero 2 W Rev 1.0",
  ]) func aPiThatIsWellRaisesNoAlarm(board: String) throws {
    let machine = try MachineTree(board: board)
    try machine.plugReceiver()
    // The console is at its default place, on a UART that is not used otherwise.
    try machine.fixture.uart("ttyAMA0", device: "fe201000.serial")
    try machine.fixture.node("ttyAMA0")
    try machine.fixture.file("/proc/cmdline", "console=ttyAMA0,115200 console=tty1 root=/dev/mmcblk0p2\n")
    try machine.process(500, "agetty", arguments: ["/sbin/agetty", "ttyAMA0", "vt220"])
    try machine.kernel([
      "usb 1-1.4: New USB device found, idVendor=1546, idProduct=01a7", "usb 1-1.4: USB disconnect, device number 4",
      "usb 1-1.4: New USB device found, idVendor=1546, idProduct=01a7",
    ])
    machine.receivers = [MachineTree.healthy()]
    #expect(try machine.findings() == [])
  }

  @Test func aDesktopThatIsWellRaisesNoAlarm() throws {
    let machine = try MachineTree(board: nil)
    try machine.plugReceiver()
    try machine.process(600, "ModemManager")
    try machine.fixture.file("/etc/udev/rules.d/60-swift-corelocation.rules", "# rules\n")
    machine.receivers = [MachineTree.healthy()]
    #expect(try machine.findings() == [])
  }

  @Test func aContainerWithUdevAndAReceiverRaisesNoAlarm() throws {
    let machine = try MachineTree(board: nil)
    try machine.plugReceiver()
    try machine.fixture.file("/.dockerenv", "")
    machine.receivers = [MachineTree.healthy()]
    #expect(try machine.findings() == [])
  }

  /// A container that shows nothing about its machine: no /proc, no /sys, no accounts.
  @Test func aMachineThatShowsNothingRaisesNoAlarm() throws {
    let fixture = try FixtureTree()
    try fixture.folder("/dev")
    let facts = MachineReader(tree: fixture.tree, user: UserIdentity(user: 7, groups: [7])).facts(
      devices: [], trusting: DeviceList(), named: nil, stateFolder: nil, clock: nil, builtOn: nil)
    let diagnosis = Diagnosis(
      subject: .automatic, machine: facts, receivers: [MachineTree.healthy()], failure: nil)
    #expect(diagnosis.findings == [])
  }

  /// A hostile device, process and file system: none of their text reaches a sentence or a command unescaped.
  @Test func hostileNamesAreHarmless() throws {
    let machine = try MachineTree(board: "Raspberry Pi\u{1B}[2J; rm -rf ~")
    try machine.plugReceiver(vendor: "10c4", product: "ea60", port: "ttyUSB0")
    try machine.fixture.file(
      "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1.4/product", "\u{1B}[2J$(reboot)\n'; reboot\n")
    let path = "/dev/x; reboot '\u{1B}[2J"
    machine.subject = .port(path)
    for failure in [
      LocationFailureSample.inUse(path), LocationFailureSample.missing(path), LocationFailureSample.denied(path),
    ] {
      machine.failure = failure
      for finding in try machine.findings() {
        let texts = [finding.sentence, finding.command, finding.device ?? ""]
        #expect(texts.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        #expect(!finding.command.contains(" /dev/x; reboot"), "\(finding.command)")
      }
    }
  }

  @Test func filesThatNeverEndAreReadBounded() throws {
    let machine = try MachineTree()
    try machine.fixture.file("/proc/cmdline", String(repeating: "console=", count: 100_000))
    try machine.fixture.file("/etc/group", String(repeating: "x:x:1:y,z\n", count: 60_000))
    try machine.kernel((0..<60_000).map { "usb 1-\($0): USB disconnect, device number 1" })
    try machine.plugReceiver()
    machine.receivers = [MachineTree.healthy()]
    #expect(try machine.findings() == [])
  }
}

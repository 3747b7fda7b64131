import Diagnosis
import Foundation
import LinuxDevices
import Testing

/// What a report says of a machine, from files like those of the kernel.
@Suite struct SystemReaderTests {
  private let tree: FixtureTree

  init() throws { tree = try FixtureTree() }

  private var reader: SystemReader { SystemReader(tree: tree.tree) }

  @Test func aRaspberryPiIsDescribed() throws {
    try tree.file("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    try tree.file("/proc/sys/kernel/osrelease", "6.12.34+rpt-rpi-v8\n")
    try tree.file("/etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n")
    try tree.file("/proc/meminfo", "MemTotal:        3884536 kB\nMemFree: 1 kB\n")
    for cpu in ["cpu0", "cpu1", "cpu2", "cpu3", "cpuidle"] {
      try tree.file("/sys/devices/system/cpu/\(cpu)/online", "1")
    }
    let facts = reader.facts
    #expect(facts.board == "Raspberry Pi 4 Model B Rev 1.4")
    #expect(facts.kernel == "6.12.34+rpt-rpi-v8")
    #expect(facts.distribution == "Debian GNU/Linux 13 (trixie)")
    #expect(facts.processors == 4)
    #expect(facts.memoryMegabytes == 3977)
    #expect(!facts.isVirtualMachine && !facts.isContainer)
  }

  @Test(arguments: [
    ("/sys/class/dmi/id/product_name", "Standard PC (Q35 + ICH9, 2009) QEMU"),
    ("/proc/cpuinfo", "flags\t\t: fpu vme hypervisor lahf_lm\n"),
    ("/proc/device-tree/model", "linux,dummy-virt"), ("/sys/hypervisor/type", "xen"),
  ]) func aVirtualMachineIsNoRealOne(path: String, content: String) throws {
    try tree.file(path, content)
    #expect(reader.facts.isVirtualMachine)
  }

  @Test func radiosAreListedWithTheirSwitches() throws {
    for (index, radio) in [("wlan", "1", "0"), ("bluetooth", "0", "1"), ("wlan", "0", "0"), ("wwan", "1", "0")]
      .enumerated()
    {
      try tree.file("/sys/class/rfkill/rfkill\(index)/type", radio.0)
      try tree.file("/sys/class/rfkill/rfkill\(index)/soft", radio.1)
      try tree.file("/sys/class/rfkill/rfkill\(index)/hard", radio.2)
    }
    #expect(
      reader.facts.radios == [
        RadioFacts(.wifi, isBlocked: true), RadioFacts(.bluetooth, isBlocked: true),
        RadioFacts(.wifi, isBlocked: false),
      ])
  }

  @Test func aRadioWithoutASwitchIsOn() throws {
    try tree.file("/sys/class/ieee80211/phy0/index", "0")
    #expect(reader.facts.radios == [RadioFacts(.wifi, isBlocked: false)])
  }

  @Test func theLoadOfAProcessIsRead() throws {
    let ticks = Int(sysconf(Int32(_SC_CLK_TCK)))
    try tree.file(
      "/proc/42/stat", "42 (a b) c) S 1 42 42 0 -1 4194304 1 0 0 0 \(3 * ticks) \(ticks) 0 0 20 0 1 0 1 1 1\n")
    try tree.file("/proc/42/status", "Name:\ta\nVmRSS:\t   20000 kB\n")
    try tree.file("/proc/42/io", "rchar: 1\nwrite_bytes: 8192\n")
    let sample = reader.sample(of: 42)
    #expect(sample.processorTime == .seconds(4))
    #expect(sample.residentBytes == 20_480_000)
    #expect(sample.writtenBytes == 8192)
    // Another process.
    #expect(reader.sample(of: 43).processorTime == nil)
  }

  @Test func disksCountAndPartsOfDisksDoNot() throws {
    try tree.file(
      "/sys/block/mmcblk0/stat",
      "    100        0     2000       50      200        0     4000      100        0        0        0\n")
    try tree.file("/sys/block/sda/stat", "1 0 2 3 4 0 1000 0 0 0 0\n")
    for name in ["loop0", "zram0", "dm-0", "md0", "ram1"] {
      try tree.file("/sys/block/\(name)/stat", "1 0 2 3 4 0 9999 0 0 0 0\n")
    }
    #expect(reader.sample(of: 1).machineWrittenBytes == 5000 * 512)
  }

  @Test func theHottestSensorCounts() throws {
    for (index, value) in ["48312", "-274000", "0", "51000", "x", "999999999"].enumerated() {
      try tree.file("/sys/class/thermal/thermal_zone\(index)/temp", value)
    }
    try tree.file("/sys/class/thermal/cooling_device0/temp", "99000")
    #expect(reader.sample(of: 1).temperatureCelsius == 51)
  }

  @Test func pulsesAreCounted() throws {
    try tree.file("/sys/class/pps/pps0/assert", "1785585600.000000123#77\n")
    try tree.file("/sys/class/pps/pps0/clear", "0.000000000#0\n")
    try tree.file("/sys/class/pps/pps1/assert", "\n")
    #expect(reader.sample(of: 1).pulses == ["pps0": 77, "pps1": 0])
  }

  @Test func anEmptyMachineHasNoValues() {
    #expect(reader.sample(of: 1) == SystemSample())
    #expect(reader.facts.board == nil && reader.facts.radios == [])
  }
}

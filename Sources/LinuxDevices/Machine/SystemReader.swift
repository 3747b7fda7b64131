package import Diagnosis
import Geodesy
internal import Glibc

/// Reads the description and the load of the machine for the report of a self-test. Reads only files, with a maximum
/// size for each.
package struct SystemReader {
  private static let maximumEntries = 64
  /// The unit of `/sys/block/*/stat`, whatever the sector size of the device (admin-guide/iostats).
  private static let sectorBytes = 512

  private let tree: FileTree

  /// - Parameter tree: the tree with `/sys`, `/proc`, `/etc` and `/run`.
  package init(tree: FileTree = FileTree()) { self.tree = tree }

  // MARK: - What it is

  package var facts: SystemFacts {
    var facts = SystemFacts()
    facts.kernel = text("/proc/sys/kernel/osrelease")
    facts.architecture = architecture
    facts.distribution = distribution
    facts.board = board
    facts.processors = tree.names(in: "/sys/devices/system/cpu").count {
      $0.hasPrefix("cpu") && $0.utf8.count > 3 && $0.dropFirst(3).utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    facts.memoryMegabytes = kilobytes("MemTotal:", in: "/proc/meminfo").map { $0 * 1024 / 1_000_000 }
    facts.isContainer = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains { tree.exists($0) }
    facts.isVirtualMachine = isVirtualMachine
    facts.radios = radios
    return facts
  }

  private var architecture: String? {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return nil }
    return unsafe withUnsafeBytes(of: &names.machine) { raw in
      unsafe DeviceText.sanitized(raw.prefix { $0 != 0 })
    }
  }

  /// The name of the distribution (os-release(5)).
  private var distribution: String? {
    let lines = tree.bytes(of: "/etc/os-release", limit: 4096) ?? tree.bytes(of: "/usr/lib/os-release", limit: 4096)
    let key = "PRETTY_NAME="
    for line in String(decoding: lines ?? [], as: UTF8.self).split(separator: "\n") where line.hasPrefix(key) {
      let value = line.dropFirst(key.count).filter { $0 != "\"" && $0 != "'" }
      return DeviceText.sanitized(value.utf8)
    }
    return nil
  }

  /// The board's name from the device tree, or from the firmware of a PC; the serial numbers beside these files are
  /// never read.
  private var board: String? {
    if let model = text("/proc/device-tree/model") { return model }
    let parts = ["sys_vendor", "product_name"].compactMap { text("/sys/class/dmi/id/\($0)") }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private static let virtualNames = [
    "QEMU", "KVM", "VirtualBox", "VMware", "Virtual Machine", "Xen", "Bochs", "dummy-virt", "Amazon EC2",
    "Google Compute",
  ]

  private var isVirtualMachine: Bool {
    if let board, Self.virtualNames.contains(where: { board.holds($0) }) { return true }
    if tree.exists("/sys/hypervisor/type") { return true }
    let flags = tree.bytes(of: "/proc/cpuinfo", limit: 4096) ?? []
    return String(decoding: flags, as: UTF8.self).holds(" hypervisor")
  }

  /// The radios (the kernel's ABI/stable/sysfs-class-rfkill); a Wi-Fi radio without an entry there cannot be blocked.
  private var radios: [RadioFacts] {
    var radios: [RadioFacts] = []
    for name in tree.names(in: "/sys/class/rfkill").prefix(Self.maximumEntries) {
      let folder = "/sys/class/rfkill/\(name)"
      let isBlocked = ["soft", "hard"].contains { tree.text(of: "\(folder)/\($0)", limit: 4) == "1" }
      switch tree.text(of: folder + "/type", limit: 16) {
      case "wlan": radios.append(RadioFacts(.wifi, isBlocked: isBlocked))
      case "bluetooth": radios.append(RadioFacts(.bluetooth, isBlocked: isBlocked))
      default: break
      }
    }
    if !radios.contains(where: { $0.kind == .wifi }) {
      let count = tree.names(in: "/sys/class/ieee80211").count
      radios += (0..<min(count, Self.maximumEntries)).map { _ in RadioFacts(.wifi, isBlocked: false) }
    }
    return radios
  }

  // MARK: - What it does

  /// - Parameter process: the process whose load is read.
  package func sample(of process: Int32) -> SystemSample {
    var sample = SystemSample()
    sample.processorTime = processorTime(of: process)
    sample.residentBytes = kilobytes("VmRSS:", in: "/proc/\(process)/status").map { $0 * 1024 }
    sample.writtenBytes = number(after: "write_bytes:", in: "/proc/\(process)/io")
    sample.machineWrittenBytes = machineWrittenBytes
    sample.temperatureCelsius = temperature
    sample.pulses = pulses
    return sample
  }

  /// Fields 14 and 15 of proc_pid_stat(5), counted from the end of the name in parentheses, which may contain anything.
  private func processorTime(of process: Int32) -> Duration? {
    guard let bytes = tree.bytes(of: "/proc/\(process)/stat", limit: 1024),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(end + 1)...].split(separator: 0x20)
    guard fields.count > 12, let user = Self.number(fields[11]), let system = Self.number(fields[12]) else {
      return nil
    }
    let ticks = sysconf(Int32(_SC_CLK_TCK))
    return ticks > 0 ? .seconds(Double(user + system) / Double(ticks)) : nil
  }

  /// The bytes of field 7 of each disk (admin-guide/iostats). Partitions are parts of a disk; loop and memory devices
  /// are not disks.
  private var machineWrittenBytes: Int? {
    var written: Int?
    for name in tree.names(in: "/sys/block").prefix(Self.maximumEntries)
    where !["loop", "ram", "zram", "dm-", "md"].contains(where: name.hasPrefix) {
      let fields = (tree.text(of: "/sys/block/\(name)/stat", limit: 512) ?? "").split(separator: " ")
      guard fields.count > 6, let sectors = Int(fields[6]) else { continue }
      written = (written ?? 0) + min(sectors, Int.max >> 12) * Self.sectorBytes
    }
    return written
  }

  /// The highest temperature, °C (the kernel's driver-api/thermal: thousandths of a degree).
  private var temperature: Double? {
    tree.names(in: "/sys/class/thermal").filter { $0.hasPrefix("thermal_zone") }.prefix(Self.maximumEntries)
      .compactMap { tree.text(of: "/sys/class/thermal/\($0)/temp", limit: 16).flatMap { Int($0) } }
      // Sensors without a value report zero, or a value that is not possible.
      .filter { (1...150_000).contains($0) }.max().map { Double($0) / 1000 }
  }

  /// The number of pulses by source (the kernel's ABI/testing/sysfs-pps: `SECONDS.NANOSECONDS#NUMBER`).
  private var pulses: [String: Int] {
    var pulses: [String: Int] = [:]
    for name in tree.names(in: "/sys/class/pps").prefix(Self.maximumEntries) {
      let counts = ["assert", "clear"].compactMap { edge in
        tree.text(of: "/sys/class/pps/\(name)/\(edge)", limit: 64)?.split(separator: "#").last.flatMap { Int($0) }
      }
      pulses[name] = counts.reduce(0) { $0 &+ $1 }
    }
    return pulses
  }

  // MARK: - Files

  private func text(_ path: String) -> String? {
    tree.text(of: path, limit: 128).flatMap { DeviceText.sanitized($0.utf8) }
  }

  /// The number after `key`, in kB.
  private func kilobytes(_ key: String, in path: String) -> Int? { number(after: key, in: path) }

  private func number(after key: String, in path: String) -> Int? {
    let text = String(decoding: tree.bytes(of: path, limit: 4096) ?? [], as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
    return nil
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int? { Int(String(decoding: field, as: UTF8.self)) }
}

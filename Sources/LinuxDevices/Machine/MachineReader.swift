package import Diagnosis
package import Geodesy
internal import Glibc

/// Collects a system's symptoms of known receiver problems. Reads only files, with a maximum size for each, and opens
/// no device. Absent or unreadable files count as those of a healthy system.
package struct MachineReader {
  private let tree: FileTree
  private let user: UserIdentity

  /// - Parameter tree: the tree with `/dev`, `/sys`, `/proc`, `/etc` and `/run`.
  package init(tree: FileTree = FileTree(), user: UserIdentity = .current) {
    self.tree = tree
    self.user = user
  }

  /// Whether a process is this package's daemon, according to its name.
  package func isDaemon(_ process: Int32) -> Bool { ProcessList.isDaemon(ProcessList.name(of: process, in: tree)) }

  /// Collects all facts.
  /// - Parameters:
  ///   - devices: the serial ports in the inventory.
  ///   - named: the port that the user named.
  package func facts(
    devices: [SerialDevice], trusting trusted: DeviceList, named: String?, stateFolder: String?, clock: GNSSTime?,
    builtOn: CalendarDate?
  ) -> MachineFacts {
    var facts = MachineFacts()
    facts.board = tree.text(of: "/proc/device-tree/model", limit: 128).flatMap { DeviceText.sanitized($0.utf8) }
    facts.isContainer = Self.containerMarks.contains { tree.exists($0) }
    facts.hasUdev = tree.exists("/run/udev/control")
    let accounts = AccountFiles(tree: tree)
    facts.activeGroups = Set(user.groups.compactMap { accounts.groupName(of: $0) })
    facts.listedGroups = accounts.groups(listing: user.user)
    facts.consoles = consoles
    let processes = ProcessList(tree: tree).processes
    facts.logins = logins(processes)
    facts.runsModemManager = processes.contains { $0.name == "ModemManager" }
    facts.daemons = Set(processes.filter { ProcessList.isDaemon($0.name) }.map(\.pid))
    facts.hasModemManagerRule = Self.ruleFolders.contains { tree.exists($0 + "/60-swift-corelocation.rules") }
    let kernel = KernelLog(tree: tree)
    facts.kernelNotes = kernel.notes
    facts.power = PowerReader(tree: tree).facts
    if kernel.reportsUnderVoltage { facts.power.wasUnderVoltage = true }
    let bus = USBReader(tree: tree)
    facts.usbReceivers = bus.receivers
    facts.ports = devices.map { port($0, trusted, place: bus.places[String($0.path.dropFirst("/dev/".count))]) }
    if let named, let target = tree.linkTarget(named), !tree.exists(named) { facts.brokenLinks[named] = target }
    facts.privatePaths = Set((devices.map(\.path) + [named].compactMap { $0 }).filter { !mayRead($0) })
    facts.clock = clock
    facts.builtOn = builtOn
    facts.state = stateFolder.map { state(of: $0) }
    return facts
  }

  private static let containerMarks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"]
  private static let ruleFolders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
  ]

  private func port(_ device: SerialDevice, _ trusted: DeviceList, place: String?) -> PortFacts {
    var facts = PortFacts(
      path: device.path, id: device.id, isSource: device.mayBeOpened(trusting: trusted), isUSB: device.bus == .usb,
      // CDC-ACM has no physical line, so its baud rate has no effect.
      hasRealSpeed: device.subsystem == .tty && !device.path.hasPrefix("/dev/ttyACM"))
    facts.otherNames = device.symlinks
    facts.name = device.product
    facts.usbPlace = place
    return facts
  }

  /// The consoles: `console=` on the kernel's command line, and the kernel's own list (admin-guide/serial-console).
  private var consoles: Set<String> {
    let active = tree.text(of: "/sys/class/tty/console/active", limit: 256) ?? ""
    var names = Set(active.split(separator: " ").map(String.init))
    let commandLine = tree.text(of: "/proc/cmdline", limit: 4096) ?? ""
    for word in commandLine.split(whereSeparator: { $0 == " " || $0 == "\n" }) where word.hasPrefix("console=") {
      names.insert(String(word.dropFirst("console=".count).prefix { $0 != "," }))
    }
    return names
  }

  /// The ports on the command lines of login programs.
  private func logins(_ processes: [ProcessList.Entry]) -> Set<String> {
    var names: Set<String> = []
    for process in processes where PortHolderFinder.logins.contains(process.name) {
      let bytes = tree.bytes(of: "/proc/\(process.pid)/cmdline", limit: 1024) ?? []
      for word in bytes.split(whereSeparator: { $0 == 0 || $0 == 0x20 }) {
        let text = String(decoding: word, as: UTF8.self)
        let name = text.hasPrefix("/dev/") ? String(text.dropFirst("/dev/".count)) : text
        if DeviceReader.isCandidate(name, subsystem: .tty) { names.insert(name) }
      }
    }
    return names
  }

  /// Whether the file's mode allows reading; a container may deny it nevertheless.
  private func mayRead(_ path: String) -> Bool {
    let result = unsafe access(tree.root + path, R_OK)
    return result == 0 || errno != EACCES
  }

  private func state(of folder: String) -> StateFolderFacts {
    var existing = folder
    while !existing.isEmpty, !tree.exists(existing), let slash = existing.lastIndex(of: "/") {
      existing = String(existing[..<slash])
    }
    let place = tree.root + (existing.isEmpty ? "/" : existing)
    var status = statvfs()
    guard unsafe statvfs(place, &status) == 0 else {
      return StateFolderFacts(path: folder, isWritable: true, bytesFree: nil)
    }
    return StateFolderFacts(
      path: folder, isWritable: unsafe access(place, W_OK) == 0,
      bytesFree: Int64(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).0))
  }
}

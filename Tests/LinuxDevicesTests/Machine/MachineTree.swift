import Diagnosis
import Geodesy
import LinuxDevices
import LocationIPC

/// A machine without faults, as files in a folder, in which a test creates a fault: a Raspberry Pi 4 with a u-blox on USB.
final class MachineTree {
  let fixture: FixtureTree
  /// The USB port of the receiver.
  static let place = "1-1.4"
  private static let usbFolder = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1.4"

  var subject = Subject.automatic
  /// The failure that the service reports; `nil`: the one that follows from the existing devices.
  var failure: LocationFailure?
  var receivers: [ReceiverFacts] = []
  var user = UserIdentity(user: 1000, groups: [1000, 20])
  var trusted = DeviceList()
  var clock = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000)

  init(board: String? = "Raspberry Pi 4 Model B Rev 1.4") throws {
    fixture = try FixtureTree()
    if let board { try fixture.file("/proc/device-tree/model", board + "\0") }
    try fixture.folder("/dev")
    try fixture.folder("/sys/class/tty")
    try fixture.file("/run/udev/control", "")
    try fixture.file("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\npi:x:1000:1000::/home/pi:/bin/bash\n")
    try fixture.file("/etc/group", "root:x:0:\ntty:x:5:\ndialout:x:20:pi\npi:x:1000:\n")
    try fixture.file("/proc/cmdline", "console=tty1 root=PARTUUID=1234-02 rootfstype=ext4 quiet\n")
    try fixture.file("/sys/class/tty/console/active", "tty1\n")
    try fixture.file("/sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
    try fixture.file("/sys/bus/usb/devices/1-0:1.0/usb1-port1/over_current_count", "0\n")
    try fixture.file("/dev/kmsg", "6,1,1,-;Linux version 6.6.31+rpt-rpi-v8\n")
    try fixture.folder("/state")
    try process(1, "systemd")
  }

  /// Plugs in a u-blox 7, with everything that belongs to it.
  func plugReceiver(vendor: String = "1546", product: String = "01a7", port: String = "ttyACM0") throws {
    try fixture.usbPort(port, vendor: vendor, product: product, strings: ["product": "u-blox 7 - GPS/GNSS Receiver"])
    try fixture.file(Self.usbFolder + "/authorized", "1\n")
    try linkBus()
    try fixture.node(port)
  }

  /// Plugs in a device for which there is no driver.
  func plugWithoutDriver(vendor: String, product: String) throws {
    try fixture.file(Self.usbFolder + "/idVendor", vendor + "\n")
    try fixture.file(Self.usbFolder + "/idProduct", product + "\n")
    try linkBus()
  }

  func authorize(_ isAuthorized: Bool) throws {
    try fixture.file(Self.usbFolder + "/authorized", isAuthorized ? "1\n" : "0\n")
  }

  private func linkBus() throws {
    try fixture.link("/sys/bus/usb/devices/\(Self.place)", to: "../../../" + Self.usbFolder.dropFirst("/sys/".count))
  }

  func process(_ pid: Int, _ name: String, arguments: [String] = []) throws {
    try fixture.file("/proc/\(pid)/comm", name + "\n")
    try fixture.file("/proc/\(pid)/cmdline", arguments.map { $0 + "\0" }.joined())
  }

  /// Writes the kernel's messages, one record per line.
  func kernel(_ messages: [String]) throws {
    try fixture.file("/dev/kmsg", messages.enumerated().map { "6,\($0),\($0)000,-;\($1)\n" }.joined())
  }

  /// The facts of a receiver without faults.
  static func healthy(_ device: String = "/dev/ttyACM0") -> ReceiverFacts {
    var facts = ReceiverFacts(device: device)
    facts.bytes = 2000
    facts.bytesAtSpeed = 2000
    facts.validFrames = 40
    facts.positionMessages = 12
    facts.timeReceived = .seconds(4)
    facts.hasFix = true
    facts.listsSatellites = true
    facts.satellitesTracked = 11
    facts.strongestSignal = 44
    facts.satellitesUsed = 9
    facts.horizontalDilution = 0.9
    return facts
  }

  static func silent(_ device: String) -> ReceiverFacts { ReceiverFacts(device: device) }

  func findings() throws -> [Finding] {
    var inventory = try DeviceInventory(mechanism: .inotify, tree: fixture.tree)
    _ = inventory.rescan()
    var named: String?
    if case .port(let path) = subject { named = path }
    let facts = MachineReader(tree: fixture.tree, user: user).facts(
      devices: inventory.devices, trusting: trusted, named: named, stateFolder: "/state", clock: clock,
      builtOn: CalendarDate(year: 2026, month: 11, day: 1))
    return Diagnosis(
      subject: subject, machine: facts, receivers: receivers, failure: failure ?? serviceFailure(inventory.devices)
    ).findings
  }

  /// The service's failure if none of the devices may be opened.
  private func serviceFailure(_ devices: [SerialDevice]) -> LocationFailure? {
    guard receivers.isEmpty, subject == .automatic, !devices.contains(where: { $0.mayBeOpened(trusting: trusted) })
    else { return nil }
    let adapters = devices.map { UntrustedAdapter(id: $0.id, path: $0.path, name: $0.product) }
    return adapters.isEmpty ? .noSource : .untrustedAdapters(adapters)
  }
}

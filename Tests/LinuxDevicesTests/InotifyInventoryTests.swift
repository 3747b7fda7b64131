import Foundation
import LinuxDevices
import Testing

/// The inventory without udev, over a tree that the test creates.
@Suite struct InotifyInventoryTests {
  private let fixture: FixtureTree

  init() throws {
    fixture = try FixtureTree()
    try fixture.folder("/dev")
    try fixture.folder("/sys/class/tty")
  }

  private func inventory() throws -> DeviceInventory { try DeviceInventory(mechanism: .automatic, tree: fixture.tree) }

  /// Waits until a change is reported; the test fails if none comes.
  private func next(_ inventory: inout DeviceInventory) throws -> [DeviceChange] {
    for _ in 0..<50 {
      var wait = pollfd(fd: inventory.fileDescriptor, events: Int16(POLLIN), revents: 0)
      try #require(unsafe poll(&wait, 1, 20_000) == 1)
      let changes = inventory.drain()
      if !changes.isEmpty { return changes }
    }
    return []
  }

  @Test func onlyPortsWithHardwareAreThere() throws {
    try fixture.usbPort(
      "ttyACM0", vendor: "1546", product: "01a7",
      strings: ["product": "u-blox 7 - GPS/GNSS Receiver", "manufacturer": "u-blox AG"])
    try fixture.usbPort(
      "ttyUSB0", vendor: "10c4", product: "ea60", strings: ["serial": "0addfc38c7f9", "product": "CP2102"],
      place: "1-1.2")
    try fixture.uart("ttyAMA0", device: "soc/fe201000.serial/fe201000.serial:0/fe201000.serial:0.0")
    try fixture.uart("ttyS0", device: "soc/fe215040.serial", type: "4")
    try fixture.uart("ttyS1", device: "serial8250", type: "0")
    try fixture.folder("/sys/class/tty/tty1")
    try fixture.folder("/sys/devices/virtual/tty/ttyX0")
    try fixture.link("/sys/class/tty/ttyX0", to: "../../devices/virtual/tty/ttyX0")
    for name in ["ttyACM0", "ttyUSB0", "ttyAMA0", "ttyS0", "ttyS1", "tty1", "ttyX0", "null", "ttyGS0"] {
      try fixture.node(name)
    }
    try fixture.link("/dev/serial0", to: "ttyAMA0")
    try fixture.link("/dev/serial/by-id/usb-u-blox-if00", to: "../../ttyACM0")

    var inventory = try inventory()
    let mechanism = inventory.mechanism
    #expect(mechanism == .inotify)
    let changes = inventory.drain()
    #expect(changes.count == 4)
    let quiet = inventory.drain()
    #expect(quiet == [])
    let devices = inventory.devices.sorted { $0.path < $1.path }
    #expect(devices.map(\.path) == ["/dev/ttyACM0", "/dev/ttyAMA0", "/dev/ttyS0", "/dev/ttyUSB0"])
    #expect(
      devices.map(\.id) == [
        "usb-1546-01a7@0000:00:14.0-1.4", "uart@fe201000.serial", "uart@fe215040.serial-ttyS0",
        "usb-10c4-ea60-0addfc38c7f9",
      ])
    #expect(
      devices.map(\.classification) == [.receiver(.catalogue(name: "u-blox 7")), .adapter, .adapter, .adapter])
    #expect(devices.map(\.bus) == [.usb, .uart, .uart, .usb])
    #expect(devices[0].symlinks == ["/dev/serial/by-id/usb-u-blox-if00"])
    #expect(devices[1].symlinks == ["/dev/serial0"])
    #expect(devices[0].manufacturer == "u-blox AG")

    var trusted = DeviceList()
    #expect(devices.map { $0.mayBeOpened(trusting: trusted) } == [true, false, false, false])
    trusted.add("usb-10c4-ea60-0addfc38c7f9")
    #expect(devices.map { $0.mayBeOpened(trusting: trusted) } == [true, false, false, true])
  }

  @Test func aReplugUnderAnotherNameKeepsTheIdentity() throws {
    var inventory = try inventory()
    let quiet = inventory.drain()
    #expect(quiet == [])
    try fixture.usbPort("ttyACM0", vendor: "1546", product: "01a8", strings: ["product": "u-blox GNSS receiver"])
    try fixture.node("ttyACM0")
    guard case .appeared(let first) = try next(&inventory).first else {
      Issue.record("nothing appeared")
      return
    }
    #expect(first.path == "/dev/ttyACM0")

    try fixture.remove("/dev/ttyACM0")
    let received = try next(&inventory)
    #expect(received == [.vanished(id: first.id, path: "/dev/ttyACM0")])
    try fixture.remove("/sys/class/tty/ttyACM0")
    try fixture.usbPort("ttyACM1", vendor: "1546", product: "01a8", strings: ["product": "u-blox GNSS receiver"])
    try fixture.node("ttyACM1")
    guard case .appeared(let second) = try next(&inventory).first else {
      Issue.record("nothing appeared")
      return
    }
    #expect(second.path == "/dev/ttyACM1")
    #expect(second.id == first.id)
  }

  /// The port was away between two listings: a program that has it open must be informed that it is another port now.
  @Test func aReplugBetweenTwoListingsIsReported() throws {
    try fixture.usbPort("ttyACM0", vendor: "1546", product: "01a8")
    try fixture.node("ttyACM0")
    var inventory = try inventory()
    let start = inventory.drain()
    guard case .appeared(let device) = start.first else {
      Issue.record("nothing appeared")
      return
    }
    try fixture.remove("/dev/ttyACM0")
    try fixture.node("ttyACM0")
    let received = try next(&inventory)
    #expect(received == [.vanished(id: device.id, path: device.path), .appeared(device)])
  }

  @Test func aNewOwnerOfTheNodeIsReported() throws {
    try fixture.usbPort("ttyACM0", vendor: "1546", product: "01a8")
    try fixture.node("ttyACM0")
    var inventory = try inventory()
    let start = inventory.drain()
    guard case .appeared(let device) = start.first else {
      Issue.record("nothing appeared")
      return
    }
    #expect(unsafe utimensat(AT_FDCWD, fixture.root + "/dev/ttyACM0", nil, AT_SYMLINK_NOFOLLOW) == 0)
    let received = try next(&inventory)
    #expect(received.contains(.changed(device)))
  }

  @Test func withoutSysfsTheNodesAreAllThatIsKnown() throws {
    try fixture.remove("/sys")
    for name in ["ttyACM0", "ttyS0", "ttyAMA0", "gnss0"] { try fixture.node(name) }
    var inventory = try inventory()
    _ = inventory.drain()
    let devices = inventory.devices
    #expect(devices.map(\.id).sorted() == ["/dev/gnss0", "/dev/ttyACM0", "/dev/ttyAMA0"])
    #expect(devices.map(\.classification).filter { $0 != .adapter } == [.receiver(.gnssSubsystem)])
  }

  @Test func theGNSSSubsystemIsAReceiver() throws {
    let folder = "/sys/devices/platform/soc/fe201000.serial/serial0/serial0-0/gnss/gnss0"
    try fixture.folder(folder)
    try fixture.link(folder + "/device", to: "../..")
    try fixture.link("/sys/class/gnss/gnss0", to: "../../..\(folder)")
    try fixture.node("gnss0")
    var inventory = try inventory()
    _ = inventory.drain()
    let devices = inventory.devices
    #expect(devices.map(\.id) == ["gnss@serial0-0"])
    #expect(devices.map(\.subsystem) == [.gnss])
    #expect(devices.map(\.classification) == [.receiver(.gnssSubsystem)])
  }

  @Test func hostileAttributesAreBoundedAndCleaned() throws {
    try fixture.usbPort(
      "ttyUSB0", vendor: "10c4", product: "ea60",
      strings: [
        "product": "\u{1B}]0;GPS\u{7}\u{202E}" + String(repeating: "A", count: 100_000), "serial": "$(reboot)\n\n#`id`",
        "manufacturer": "\u{0}\u{1}\u{2}",
      ])
    try fixture.node("ttyUSB0")
    let port = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1.4/1-1.4:1.0/tty/ttyUSB0"
    // A FIFO in the place of an attribute must not block the inventory.
    #expect(unsafe mkfifo(fixture.root + port + "/port_number", 0o600) == 0)
    var inventory = try inventory()
    _ = inventory.drain()
    let devices = inventory.devices
    let device = try #require(devices.first)
    #expect(device.product?.utf8.count == 64)
    #expect(device.product?.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
    #expect(device.manufacturer == nil)
    #expect(device.id == "usb-10c4-ea60-__reboot____id_")
  }

  @Test func loopsAndWaysOutOfTheTreeAreNoDevices() throws {
    try fixture.link("/sys/class/tty/ttyUSB0", to: "ttyUSB1")
    try fixture.link("/sys/class/tty/ttyUSB1", to: "ttyUSB0")
    try fixture.link("/sys/class/tty/ttyUSB2", to: "/proc/self")
    try fixture.file("/sys/class/tty/ttyUSB3", "not a folder")
    for name in ["ttyUSB0", "ttyUSB1", "ttyUSB2", "ttyUSB3"] { try fixture.node(name) }
    try fixture.usbPort("ttyUSB4", vendor: "zzzz", product: "12345")
    try fixture.node("ttyUSB4")
    var inventory = try inventory()
    _ = inventory.drain()
    let devices = inventory.devices
    #expect(devices.map(\.path) == ["/dev/ttyUSB4"])
    #expect(devices.map(\.usb) == [nil])
    #expect(devices.map(\.classification) == [.adapter])
  }

  @Test func moreDevicesThanTheBoundAreCountedOut() throws {
    for number in 0..<80 {
      try fixture.usbPort("ttyUSB\(number)", vendor: "10c4", product: "ea60", place: "1-\(number)")
      try fixture.node("ttyUSB\(number)")
    }
    var inventory = try inventory()
    let changes = inventory.drain()
    #expect(changes.count == 64)
    let devices = inventory.devices
    #expect(devices.count == 64)
    let refused = inventory.refusedDevices
    #expect(refused == 16)
  }
}

import Diagnosis
import Geodesy
import LinuxDevices
import LocationIPC
import Testing

/// Faults of a machine that prevent a receiver from working, each created in a tree of files.
enum MachineFault: String, CaseIterable, CustomTestStringConvertible {
  case underVoltageByFirmware, underVoltageByMonitor, underVoltageInKernelLog, overCurrent, unreadableUSBDevice
  case cableThatDisconnects, unauthorizedUSB, missingDriver, missingDriverOfProlific, missingNode
  case containerWithoutNode, containerWithoutAnything, containerWithoutRight, uartSwitchedOff, brokenLink
  case consoleOnUART, consoleOnTrustedUART, loginOnUART, untrustedAdapter, nothingOnDesktop, nothingOnPi
  case groupOfNextLogin, groupNotJoined, nodeOfRootAlone, clockIn1970, modemManagerWithoutRule, containerWithoutUdev

  var testDescription: String { rawValue }

  /// The expected first finding, and parts of its sentence and its command.
  var expected: (code: FindingCode, cause: String, command: String) {
    switch self {
    case .underVoltageByFirmware, .underVoltageByMonitor:
      (.underVoltage, "voltage of the board is too low", "vcgencmd get_throttled")
    case .underVoltageInKernelLog: (.underVoltage, "voltage of the board was too low", "vcgencmd get_throttled")
    case .overCurrent: (.overCurrent, "too much current (3 times)", "powered hub")
    case .unreadableUSBDevice: (.usbNotRecognized, "at 1-1.4 does not answer", "another cable")
    case .cableThatDisconnects: (.usbDisconnects, "disconnected 3 times", "another cable")
    case .unauthorizedUSB: (.usbUnauthorized, "u-blox 7 (1546:01a7)", "/sys/bus/usb/devices/1-1.4/authorized")
    case .missingDriver: (.driverMissing, "u-blox 8 (1546:01a8)", "sudo modprobe cdc_acm")
    case .missingDriverOfProlific: (.driverMissing, "PS-360 OEM (067b:aaa0)", "sudo modprobe pl2303")
    case .missingNode: (.nodeMissing, "/dev/ttyACM0 does not exist", "udevadm trigger")
    case .containerWithoutNode: (.containerDevice, "container has no access to /dev/ttyACM0", "--device /dev/ttyACM0")
    case .containerWithoutAnything: (.containerDevice, "this container may have no access to it", "docker run --device")
    case .containerWithoutRight: (.containerDenied, "container has no permission", "--device /dev/ttyACM0")
    case .uartSwitchedOff: (.uartOff, "UART of this Raspberry Pi 4", "raspi-config nonint do_serial_hw 0")
    case .brokenLink: (.brokenLink, "is a link to ttyACM9, which does not exist", "locationctl devices")
    case .consoleOnUART, .consoleOnTrustedUART:
      (.consoleOnUART, "/dev/ttyAMA0 is the console of the kernel", "raspi-config nonint do_serial_cons 1")
    case .loginOnUART:
      (.loginOnUART, "login prompt is running on /dev/ttyS0", "disable --now serial-getty@ttyS0.service")
    case .untrustedAdapter:
      (
        .adapterUntrusted, "/dev/ttyUSB0 (CP2102 USB to UART Bridge) may be connected to a receiver",
        "devices trust usb-10c4-ea60"
      )
    case .nothingOnDesktop, .nothingOnPi: (.noReceiver, "No GNSS receiver was found", "locationctl devices")
    case .groupOfNextLogin: (.groupNotActive, "login session began before you were added", "newgrp dialout")
    case .groupNotJoined: (.permissionDenied, "belongs to the group dialout", "usermod -aG dialout")
    case .nodeOfRootAlone: (.nodePrivate, "Only root may open", "60-swift-corelocation.rules")
    case .clockIn1970: (.clockUnset, "shows the year 1970", "timedatectl set-ntp true")
    case .modemManagerWithoutRule: (.modemManagerMayProbe, "ModemManager is running", "60-swift-corelocation.rules")
    case .containerWithoutUdev: (.containerWithoutUdev, "no udev", "-v /dev:/dev")
    }
  }

  func inject(into machine: MachineTree) throws {
    let fixture = machine.fixture
    switch self {
    case .underVoltageByFirmware:
      try fixture.file("/sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    case .underVoltageByMonitor:
      try fixture.file("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
      try fixture.file("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    case .underVoltageInKernelLog:
      try machine.kernel(["usb 1-1: New USB device found, idVendor=2109", "hwmon hwmon1: Undervoltage detected!"])
    case .overCurrent: try fixture.file("/sys/bus/usb/devices/1-0:1.0/usb1-port1/over_current_count", "3\n")
    case .unreadableUSBDevice:
      try machine.kernel([
        "usb 1-1.4: new full-speed USB device number 7 using xhci_hcd",
        "usb 1-1.4: device descriptor read/64, error -71", "usb 1-1-port4: unable to enumerate USB device",
      ])
    case .cableThatDisconnects:
      try machine.plugReceiver()
      try machine.kernel(
        (0..<3).flatMap {
          ["usb 1-1.4: USB disconnect, device number \($0)", "usb 1-1.4: New USB device found, idVendor=1546"]
        })
      machine.receivers = [MachineTree.silent("/dev/ttyACM0")]
    case .unauthorizedUSB:
      try machine.plugWithoutDriver(vendor: "1546", product: "01a7")
      try machine.authorize(false)
    case .missingDriver: try machine.plugWithoutDriver(vendor: "1546", product: "01a8")
    case .missingDriverOfProlific: try machine.plugWithoutDriver(vendor: "067b", product: "aaa0")
    case .missingNode:
      try machine.plugReceiver()
      try fixture.remove("/dev/ttyACM0")
    case .containerWithoutNode:
      try fixture.file("/.dockerenv", "")
      try machine.plugReceiver()
      try fixture.remove("/dev/ttyACM0")
    case .containerWithoutAnything: try fixture.file("/run/.containerenv", "")
    case .containerWithoutRight:
      try fixture.file("/.dockerenv", "")
      try machine.plugReceiver()
      machine.failure = .permissionDenied(path: "/dev/ttyACM0", group: nil)
    case .uartSwitchedOff:
      machine.subject = .port("/dev/serial0")
      machine.failure = .cannotOpen(path: "/dev/serial0", reason: .doesNotExist)
    case .brokenLink:
      try fixture.link("/dev/gps", to: "ttyACM9")
      machine.subject = .port("/dev/gps")
      machine.failure = .cannotOpen(path: "/dev/gps", reason: .doesNotExist)
    case .consoleOnUART:
      // Only the kernel writes there: the port opens, but no bytes come.
      try uart("ttyAMA0", machine)
      try fixture.file("/proc/cmdline", "console=ttyAMA0,115200 console=tty1 quiet\n")
      machine.subject = .port("/dev/ttyAMA0")
      machine.receivers = [MachineTree.silent("/dev/ttyAMA0")]
    case .consoleOnTrustedUART:
      try uart("ttyAMA0", machine)
      try fixture.file("/sys/class/tty/console/active", "tty1 ttyAMA0\n")
      machine.trusted.add("uart@fe201000.serial")
      machine.receivers = [MachineTree.silent("/dev/ttyAMA0")]
    case .loginOnUART:
      try uart("ttyS0", machine)
      try machine.process(
        500, "agetty", arguments: ["/sbin/agetty", "-o", "-p -- \\u", "--keep-baud", "115200", "ttyS0", "vt220"])
      machine.subject = .port("/dev/ttyS0")
      machine.failure = .portInUse(path: "/dev/ttyS0", holder: .console(tty: "ttyS0"))
    case .untrustedAdapter:
      try machine.plugReceiver(vendor: "10c4", product: "ea60", port: "ttyUSB0")
      try fixture.file(
        "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1.4/product", "CP2102 USB to UART Bridge\n")
    case .nothingOnDesktop: try fixture.remove("/proc/device-tree")
    case .nothingOnPi:
      try uart("ttyAMA0", machine)
      try fixture.file("/proc/cmdline", "console=ttyAMA0,115200 console=tty1\n")
    case .groupOfNextLogin:
      machine.user = UserIdentity(user: 1000, groups: [1000])
      try deny("dialout", machine)
    case .groupNotJoined:
      machine.user = UserIdentity(user: 1001, groups: [1001])
      try deny("dialout", machine)
    case .nodeOfRootAlone: try deny(nil, machine)
    case .clockIn1970:
      try well(machine)
      machine.clock = GNSSTime(nanosecondsSince1970: 42_000_000_000)
    case .modemManagerWithoutRule:
      try well(machine)
      try machine.process(600, "ModemManager")
    case .containerWithoutUdev:
      try well(machine)
      try fixture.file("/.dockerenv", "")
      try fixture.remove("/run/udev/control")
    }
  }

  private func well(_ machine: MachineTree) throws {
    try machine.plugReceiver()
    machine.receivers = [MachineTree.healthy()]
  }

  private func uart(_ name: String, _ machine: MachineTree) throws {
    try machine.fixture.uart(name, device: "fe201000.serial", type: name.hasPrefix("ttyS") ? "4" : nil)
    try machine.fixture.node(name)
  }

  private func deny(_ group: String?, _ machine: MachineTree) throws {
    try machine.plugReceiver()
    machine.failure = .permissionDenied(path: "/dev/ttyACM0", group: group)
  }
}

/// Failures of a port whose name was chosen with malicious intent.
enum LocationFailureSample {
  static func inUse(_ path: String) -> LocationFailure { .portInUse(path: path, holder: .process(pid: 7, name: path)) }
  static func missing(_ path: String) -> LocationFailure { .cannotOpen(path: path, reason: .doesNotExist) }
  static func denied(_ path: String) -> LocationFailure { .permissionDenied(path: path, group: "x; reboot") }
}

internal import Diagnosis
package import Geodesy

/// Power problems reported by firmware and hubs.
struct PowerReader {
  private static let maximumDevices = 256
  private static let maximumPorts = 64

  let tree: FileTree

  var facts: PowerFacts {
    var facts = PowerFacts()
    // Bits of a Raspberry Pi's GET_THROTTLED: 0 under-voltage now, 16 under-voltage since boot.
    if let text = tree.text(of: "/sys/devices/platform/soc/soc:firmware/get_throttled", limit: 32) {
      let bits = UInt32(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16) ?? 0
      facts.isUnderVoltage = bits & 1 != 0
      facts.wasUnderVoltage = bits & 1 << 16 != 0
    }
    // The kernel's raspberrypi-hwmon driver.
    for name in tree.names(in: "/sys/class/hwmon").prefix(Self.maximumPorts)
    where tree.text(of: "/sys/class/hwmon/\(name)/name", limit: 32) == "rpi_volt" {
      if tree.text(of: "/sys/class/hwmon/\(name)/in0_lcrit_alarm", limit: 8) == "1" { facts.isUnderVoltage = true }
    }
    facts.overCurrentEvents = overCurrentEvents
    return facts
  }

  /// The over-current events of all hub ports (the kernel's ABI/testing/sysfs-bus-usb):
  /// `…/1-0:1.0/usb1-port1/over_current_count`.
  private var overCurrentEvents: Int {
    let bus = "/sys/bus/usb/devices"
    var events = 0
    for hub in tree.names(in: bus).filter({ $0.contains(":") }).prefix(Self.maximumDevices) {
      for port in tree.names(in: "\(bus)/\(hub)").filter({ $0.holds("-port") }).prefix(Self.maximumPorts) {
        let text = tree.text(of: "\(bus)/\(hub)/\(port)/over_current_count", limit: 16) ?? ""
        events += min(Int(text) ?? 0, 1_000_000)
      }
    }
    return events
  }
}

/// Detects when the machine is connected to its charger, from the kernel's power supplies
/// (Documentation/ABI/testing/sysfs-class-power: `type`, `online`).
package struct MainsPower: Sendable {
  /// Minimum interval between reads.
  private static let interval: Duration = .seconds(30)
  private static let mostSupplies = 32
  private static let folder = "/sys/class/power_supply"

  private let tree: FileTree
  private var readAt: Instant?
  private var isOnline: Bool?

  package init(_ tree: FileTree = FileTree()) { self.tree = tree }

  /// Whether the machine was connected to its charger since the last time that the power supplies were read, which is at
  /// most once per `interval`; `false` for a call in between.
  package mutating func wasPluggedIn(at now: Instant) -> Bool {
    if let readAt, now - readAt < Self.interval { return false }
    readAt = now
    let before = isOnline
    isOnline = present
    return before == false && isOnline == true
  }

  /// Whether a charger is connected; `nil` if the kernel lists no charger.
  private var present: Bool? {
    var found: Bool?
    for supply in tree.names(in: Self.folder).sorted().prefix(Self.mostSupplies) {
      let type = tree.text(of: "\(Self.folder)/\(supply)/type") ?? ""
      guard type == "Mains" || type.hasPrefix("USB"),
        let online = tree.text(of: "\(Self.folder)/\(supply)/online")
      else { continue }
      found = found ?? false || online != "0"
    }
    return found
  }
}

package import Geodesy

/// What the machine shows of itself without opening any device; what cannot be read is as on a healthy one.
package struct MachineFacts: Hashable, Sendable {
  /// Model of the board, as its device tree says: "Raspberry Pi 4 Model B Rev 1.4".
  package var board: String?
  package var isContainer = false
  /// Whether a udev daemon answers here.
  package var hasUdev = true
  /// Groups that this process is in, by name.
  package var activeGroups: Set<String> = []
  /// Groups that the user is in by `/etc/group`, from the next login on.
  package var listedGroups: Set<String> = []

  /// Names without `/dev/` of the serial ports that the kernel writes its messages to.
  package var consoles: Set<String> = []
  /// Names without `/dev/` of the ports that a login waits on.
  package var logins: Set<String> = []
  package var runsModemManager = false
  /// The processes that are called locationd.
  package var daemons: Set<Int32> = []
  /// Whether a udev rule keeps ModemManager off receivers.
  package var hasModemManagerRule = false

  package var power = PowerFacts()
  package var kernelNotes = KernelNotes()
  /// Receivers on USB, with or without a port.
  package var usbReceivers: [USBReceiverFacts] = []
  package var ports: [PortFacts] = []
  /// Links in `/dev` that lead nowhere, and where to.
  package var brokenLinks: [String: String] = [:]

  /// Ports that their owner, group and mode keep from this user, whatever else does.
  package var privatePaths: Set<String> = []

  /// This machine's clock; `nil`: not looked at.
  package var clock: GNSSTime?
  /// The day on which this program was built.
  package var builtOn: CalendarDate?
  package var state: StateFolderFacts?

  package init() {}

  /// Whether the board is a Raspberry Pi.
  package var isRaspberryPi: Bool { board?.hasPrefix("Raspberry Pi") ?? false }
}

/// What the kernel's log says of USB. Counts since the start, as far as the log reaches.
package struct KernelNotes: Hashable, Sendable {
  /// Devices that went away, by their place ("1-1.4").
  package var disconnects: [String: Int] = [:]
  /// Places where a device was plugged in that the kernel could not talk to.
  package var unrecognized: Set<String> = []

  package init() {}
}

/// What firmware and USB hubs say of the power.
package struct PowerFacts: Hashable, Sendable {
  /// The supply is below what the board needs, now.
  package var isUnderVoltage = false
  /// It was, at some time since the start.
  package var wasUnderVoltage = false
  /// Over-current events that the USB ports have counted since the start.
  package var overCurrentEvents = 0

  package init() {}
}

/// Where the service remembers.
package struct StateFolderFacts: Hashable, Sendable {
  package var path: String
  /// Whether something can be written there, or the folder can be made.
  package var isWritable: Bool
  /// Bytes that this user may still write there; `nil`: not known.
  package var bytesFree: Int64?

  package init(path: String, isWritable: Bool, bytesFree: Int64?) {
    self.path = path
    self.isWritable = isWritable
    self.bytesFree = bytesFree
  }
}

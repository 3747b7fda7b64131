package import Geodesy

/// The state of the machine as far as it is visible without opening any device. What cannot be read is assumed healthy.
package struct MachineFacts: Hashable, Sendable {
  /// Model of the board, from its device tree: "Raspberry Pi 4 Model B Rev 1.4".
  package var board: String?
  package var isContainer = false
  /// Whether the control socket of a udev daemon exists.
  package var hasUdev = true
  /// Groups that this process is in, by name.
  package var activeGroups: Set<String> = []
  /// The user's groups in `/etc/group`, which take effect at the next login.
  package var listedGroups: Set<String> = []

  /// Names without `/dev/` of the serial ports that the kernel writes its messages to.
  package var consoles: Set<String> = []
  /// Names without `/dev/` of the ports with a login prompt.
  package var logins: Set<String> = []
  package var runsModemManager = false
  /// The processes named locationd.
  package var daemons: Set<Int32> = []
  /// Whether the udev rules of this package are installed, which keep ModemManager off receivers.
  package var hasModemManagerRule = false

  package var power = PowerFacts()
  package var kernelNotes = KernelUSBEvents()
  /// Receivers on USB, with or without a port.
  package var usbReceivers: [USBReceiverFacts] = []
  package var ports: [PortFacts] = []
  /// The path that the user named and its target, if the path is a dangling link; otherwise empty.
  package var brokenLinks: [String: String] = [:]

  /// Ports to which owner, group and mode deny this user access, whatever other obstacles there are.
  package var privatePaths: Set<String> = []

  /// This machine's clock; `nil`: not checked.
  package var clock: GNSSTime?
  /// The day on which this program was built.
  package var builtOn: CalendarDate?
  package var state: StateFolderFacts?
  package var configuration = ConfigurationFacts()
  /// The imported data of places by its names, and the day of each ("2024-03-04"); empty: not known.
  package var places: [String: String] = [:]

  package init() {}

  /// Whether the board is a Raspberry Pi.
  package var isRaspberryPi: Bool { board?.hasPrefix("Raspberry Pi") ?? false }
}

/// USB events in the kernel's log. Counts since boot, as far as the log reaches.
package struct KernelUSBEvents: Hashable, Sendable {
  /// The number of disconnects by USB port ("1-1.4").
  package var disconnects: [String: Int] = [:]
  /// USB ports where the kernel could not communicate with a device that was plugged in.
  package var unrecognized: Set<String> = []

  package init() {}
}

/// The power state from firmware and USB hubs.
package struct PowerFacts: Hashable, Sendable {
  /// The supply voltage is below what the board needs, now.
  package var isUnderVoltage = false
  /// The supply voltage was too low at some time since boot.
  package var wasUnderVoltage = false
  /// Over-current events that the USB ports have counted since boot.
  package var overCurrentEvents = 0

  package init() {}
}

/// The settings of the service.
package struct ConfigurationFacts: Hashable, Sendable {
  /// A sentence for each misspelled setting, section or variable.
  package var unknown: [String] = []
  /// A sentence for each value that is not valid, and each line or file that cannot be read.
  package var invalid: [String] = []
  /// The environment file of an older version, if it still sets something.
  package var environmentFile: String?
  /// Whether a server of places is set without a contact, so that it is not asked.
  package var lacksPlacesContact = false

  package init() {}
}

/// The service's state folder.
package struct StateFolderFacts: Hashable, Sendable {
  package var path: String
  /// Whether the folder is writable, or can be created.
  package var isWritable: Bool
  /// Bytes that this user can still write to the disk of the folder; `nil`: unknown.
  package var bytesFree: Int64?

  package init(path: String, isWritable: Bool, bytesFree: Int64?) {
    self.path = path
    self.isWritable = isWritable
    self.bytesFree = bytesFree
  }
}

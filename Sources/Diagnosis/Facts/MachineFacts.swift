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

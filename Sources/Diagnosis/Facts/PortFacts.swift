/// One serial port of the machine.
package struct PortFacts: Hashable, Sendable {
  package var path: String
  /// Other names of the node.
  package var otherNames: [String] = []
  /// The identifier that `devices trust` accepts.
  package var id: String
  package var name: String?
  /// Whether the service may open the port although the user has not named it: the port is certainly a receiver's, or
  /// trusted.
  package var isSource: Bool
  package var isUSB: Bool
  /// Its USB port, if it has one: "1-1.4".
  package var usbPlace: String?
  /// Whether a baud rate limits the line: the port has a UART, and is not USB all the way to the receiver.
  package var hasRealSpeed: Bool

  package init(path: String, id: String, isSource: Bool, isUSB: Bool, hasRealSpeed: Bool) {
    self.path = path
    self.id = id
    self.isSource = isSource
    self.isUSB = isUSB
    self.hasRealSpeed = hasRealSpeed
  }

  /// The node's name without `/dev/`.
  package var tty: String { String(path.split(separator: "/").last ?? "") }
}

/// The counters of a UART's driver (TIOCGICOUNT, ioctl_tty(2)), counted since the port was first opened.
package struct LineErrors: Hashable, Sendable {
  /// Bytes without a stop bit.
  package var framing = 0
  /// Breaks: the line was low for longer than a byte.
  package var breaks = 0
  /// Bytes lost in the hardware or in the driver.
  package var overruns = 0

  package init() {}

  /// The difference from `earlier`.
  package static func - (later: LineErrors, earlier: LineErrors) -> LineErrors {
    var difference = LineErrors()
    difference.framing = max(0, later.framing - earlier.framing)
    difference.breaks = max(0, later.breaks - earlier.breaks)
    difference.overruns = max(0, later.overruns - earlier.overruns)
    return difference
  }
}

/// A USB device that is certainly a receiver, as seen on the bus.
package struct USBReceiverFacts: Hashable, Sendable {
  /// Its USB port: "1-1.4".
  package var place: String
  /// VID:PID.
  package var identity: String
  /// Its name, from the catalog or from its own descriptor.
  package var name: String
  /// The kernel's driver for this kind of device: `cdc_acm`; `nil`: unknown.
  package var driver: String?
  /// Whether the kernel has authorized it.
  package var isAuthorized = true
  /// Names of its ports: `ttyACM0`; empty: no driver is bound to it.
  package var ports: [String] = []
  /// Whether `/dev` has a node for at least one of the ports.
  package var hasNode = false

  package init(place: String, identity: String, name: String) {
    self.place = place
    self.identity = identity
    self.name = name
  }
}

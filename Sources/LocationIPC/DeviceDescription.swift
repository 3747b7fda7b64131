/// One device as `locationctl devices` lists it. Strings that a device supplied are sanitized and bounded.
package struct DeviceDescription: Hashable, Sendable {
  /// What `devices trust`, `forget` and `--owner` take: stable across replugs where the hardware allows it.
  package var id: String
  package var path: String
  package var usbVendorID: UInt16?
  package var usbProductID: UInt16?
  package var product: String?
  /// Receiver chip and firmware, once it has said so.
  package var chip: String?
  package var firmware: String?
  /// `nmea`, `ubx`, `nmea+ubx`.
  package var protocolName: String?
  package var baud: Int?
  package var kind: DeviceKind
  package var state: DeviceState
  /// Who has it, where that is not a matter of course: gpsd, or the service because it was told so; `nil`: nobody was told.
  package var owner: DeviceOwner?

  package init(id: String, path: String, kind: DeviceKind, state: DeviceState) {
    self.id = id
    self.path = path
    self.kind = kind
    self.state = state
  }
}

/// Why a device is in the list.
package enum DeviceKind: String, Hashable, Sendable, CaseIterable {
  /// Surely a receiver: by VID:PID, product string, or the kernel's `gnss` subsystem.
  case receiver
  /// A general serial adapter; opened only once trusted.
  case adapter
  /// A general serial adapter that the owner trusted.
  case trusted
}

/// What a device is doing.
package enum DeviceState: String, Hashable, Sendable, CaseIterable {
  case closed, opening, hunting, identified, fixing, silent, busy, denied, untrusted
  /// Its port is open, for a client without exact access: how the receiver fares tells whether the machine sees the sky.
  case open

  /// Whether the service opens this port, or has it open. It never opens adapters that nobody trusts, and ports it has no right to.
  package var isServed: Bool {
    switch self {
    case .untrusted, .denied: false
    case .closed, .opening, .hunting, .identified, .fixing, .silent, .busy, .open: true
    }
  }

  /// Whether the service hears a receiver on this port.
  package var isHeard: Bool {
    switch self {
    case .identified, .fixing, .open: true
    case .closed, .opening, .hunting, .silent, .busy, .denied, .untrusted: false
    }
  }
}

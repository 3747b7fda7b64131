package import LocationPolicy

/// What the service is doing, and for whom. Never where anybody is.
package struct ServiceStatus: Hashable, Sendable {
  /// The daemon's version; `nil`: hosted inside the process that asks.
  package var version: String?
  package var processID: Int32?
  package var runningFor: Duration = .zero
  /// Where its fixes come from, in the syntax of `--source`.
  package var source: String
  package var clients: [ClientStatus] = []
  /// The receivers and adapters that it sees.
  package var devices: [DeviceDescription] = []
  /// Which sources run, and why.
  package var plan = PowerPlan.nothing
  /// How old the last known fix is; `nil`: there is none.
  package var lastFixAge: Duration?
  /// The logs that it keeps.
  package var logs: [LogDescription] = []
  /// Whether it is switched on.
  package var isOn = true
  /// Whether it is off because what was decided of it is not known any more.
  package var isOffByLoss = false
  /// What the indicator shows.
  package var indicator = IndicatorState.Mark.none
  /// Who uses location in the background without having always, the most recent, where the one who asks may know; and how many do.
  package var background: LocationUser?
  package var backgroundCount = 0
  /// What it makes of Wi-Fi; `nil`: it has none to do with, as with another source.
  package var wifi: WiFiReport?
  /// Who uses location and who did in the last 24 hours, the most recent first.
  package var usage: [UsageDescription] = []
  /// Whether it says nothing of what the receivers receive, as the client has no exact access.
  package var isSkyHidden = false
  /// Bounds that were reached in the last hour, the latest first.
  package var bounds: [ReachedBound] = []

  /// A service of which only its source is known.
  package init(source: String) { self.source = source }
}

/// One client of the service, and what it wants now.
package struct ClientStatus: Hashable, Sendable {
  /// As it calls itself.
  package var name: String
  package var purpose: String?
  /// As the kernel tells them; `nil`: it is a part of the service.
  package var processID: Int32?
  package var userID: UInt32?
  /// Whose it is, what it may have, and whether it is in use; `nil`: hosted inside the process that asks.
  package var identity: ClientIdentity?
  package var level: AuthorizationLevel?
  package var presence: ClientPresence?
  package var connectedFor: Duration?
  /// Requests for one fix, streams of fixes, and watches of the satellites that are under way.
  package var oneShots = 0
  package var streams = 0
  package var skies = 0
  /// Streams of fixes that are held back: paused by themselves, at rest while the client is in the background, waiting for a decision.
  package var (paused, resting, undecided) = (0, 0, 0)

  /// A client that wants nothing.
  package init(name: String) { self.name = name }
}

/// A bound of the service that keeps one user from denying it to the others.
package struct ServiceBound: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Connections of all users.
    case clients
    /// Connections of one user.
    case clientsOfUser
    /// Connections of all users to whom nobody has granted anything.
    case clientsWithoutGrant
    /// Connections of all users of user namespaces.
    case clientsOfNamespaces
    /// Requests of all users but the administrators.
    case requests
    /// Requests of one user.
    case requestsOfUser
    /// Regions of one identity.
    case regions
    /// Bytes of identifiers and borders of one user's regions.
    case regionBytes
    /// Lists of what is monitored.
    case lists
  }

  package var kind: Kind
  package var limit: Int
  /// Whose bound it is, or who was refused last; `nil`: the kernel does not tell.
  package var userID: UInt32?

  package init(_ kind: Kind, limit: Int, userID: UInt32?) {
    (self.kind, self.limit, self.userID) = (kind, limit, userID)
  }
}

/// A bound that was reached in the last hour.
package struct ReachedBound: Hashable, Sendable {
  package var bound: ServiceBound
  /// How often something was refused by it.
  package var times: Int
  /// Since the last time.
  package var ago: Duration

  package init(_ bound: ServiceBound, times: Int, ago: Duration) {
    (self.bound, self.times, self.ago) = (bound, times, ago)
  }
}

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

/// Who opens a receiver that gpsd could have as well.
package enum DeviceOwner: String, Hashable, Sendable, CaseIterable {
  /// This service, whatever gpsd lists.
  case locationd
  /// gpsd, through which the service reads it then.
  case gpsd
}

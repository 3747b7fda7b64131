package import FleetDestinations
package import Geodesy
package import LocationPolicy

/// The service's activity, and its clients. Never contains a position.
package struct ServiceStatus: Hashable, Sendable {
  /// The daemon's version; `nil`: hosted inside the requesting process.
  package var version: String?
  package var processID: Int32?
  package var runningFor: Duration = .zero
  /// The source of its fixes, in the syntax of `--source`.
  package var source: String
  package var clients: [ClientStatus] = []
  /// The TCP ports at which it serves programs that speak another protocol, or cannot.
  package var ports: [PortStatus] = []
  /// The detected receivers and adapters.
  package var devices: [DeviceDescription] = []
  /// The running sources, and the reasons.
  package var plan = PowerPlan.nothing
  /// The age of the last known fix; `nil`: there is none.
  package var lastFixAge: Duration?
  /// The 68 % radius of the last known fix when it was measured; `nil`: there is none.
  package var lastFixRadius68: Meters?
  /// The satellites of the receiver that gives fixes: those in the solution, and those that it lists; `nil`: unknown.
  package var (satellitesUsed, satellitesInView): (Int?, Int?) = (nil, nil)
  /// The logs of the service.
  package var logs: [LogDescription] = []
  /// Whether location services are on.
  package var isOn = true
  /// Whether location services are off because the stored decisions were lost.
  package var isOffByLoss = false
  /// What the indicator shows.
  package var indicator = IndicatorState.Mark.none
  /// The most recent background user of location without always authorization, if the requester may see it; and their number.
  package var background: LocationUser?
  package var backgroundCount = 0
  /// The state of Wi-Fi; `nil`: the service does not use it, as with another source.
  package var wifi: WiFiReport?
  /// The corrections for RTK; `nil`: none are configured.
  package var corrections: CorrectionStatus?
  /// The current users of location and those of the last 24 hours, the most recent first.
  package var usage: [UsageDescription] = []
  /// Whether the reception of the receivers is left out, because the client has no exact access.
  package var isSkyHidden = false
  /// Limits reached in the last hour, the latest first.
  package var bounds: [ReachedBound] = []
  /// The time for the machine's clocks; `nil`: off, or not shown to this client.
  package var time: TimeReport?
  /// The destinations to which positions are sent; empty also if the client may not see them.
  package var fleet: [FleetReport] = []

  /// Creates a status with only a source.
  package init(source: String) { self.source = source }
}

/// One client of the service, and its current requests.
package struct ClientStatus: Hashable, Sendable {
  /// The name that the client claims.
  package var name: String
  package var purpose: String?
  /// From the kernel; `nil`: the client is a part of the service.
  package var processID: Int32?
  package var userID: UInt32?
  /// Its identity, its authorization, and whether it is in use; `nil`: hosted inside the requesting process.
  package var identity: ClientIdentity?
  package var level: AuthorizationLevel?
  package var presence: ClientPresence?
  package var connectedFor: Duration?
  /// The protocol of a client at a TCP port; `nil`: a client at the service's own socket.
  package var port: NetworkProtocol?
  /// The connections of such a client: programs of one user in one session or service count together.
  package var connections = 1
  /// Pending requests for one fix, streams of fixes, and satellite streams.
  package var oneShots = 0
  package var streams = 0
  package var skies = 0
  /// Suspended streams of fixes: paused automatically, suspended while the client is in the background, waiting for a decision.
  package var (paused, resting, undecided) = (0, 0, 0)

  /// Creates a client without requests.
  package init(name: String) { self.name = name }
}

/// A protocol that the service speaks at a TCP port of this machine.
package enum NetworkProtocol: UInt8, Hashable, Sendable, CaseIterable {
  /// gpsd's protocol (gpsd_json(5)).
  case gpsd = 0
  /// The sentences of NMEA 0183.
  case nmea = 1

  /// As in the JSON output and in the names of sockets that systemd passes.
  package var name: String { "\(self)" }
}

/// A TCP port that the service serves, or should.
package struct PortStatus: Hashable, Sendable {
  package enum State: UInt8, Hashable, Sendable, CaseIterable {
    case listening = 0
    /// Another program listens there.
    case inUse = 1
    /// The service cannot listen there for another reason.
    case failed = 2
    /// The service listens, but the kernel does not report whose a connection is: nobody is served.
    case unidentified = 3

    /// As in the JSON output.
    package var name: String { "\(self)" }
  }

  package var protocolName: NetworkProtocol
  /// The address and the port: `127.0.0.1:2947`.
  package var address: String
  package var state: State
  /// Whether systemd has opened it for the service.
  package var isPassed: Bool

  package init(protocolName: NetworkProtocol, address: String, state: State, isPassed: Bool) {
    (self.protocolName, self.address, self.state, self.isPassed) = (protocolName, address, state, isPassed)
  }
}

/// A limit that keeps one user from denying the service to the others.
package struct ServiceBound: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Connections of all users.
    case clients = 0
    /// Connections of one user.
    case clientsOfUser = 1
    /// Connections of all users without a grant.
    case clientsWithoutGrant = 2
    /// Connections from user namespaces, of all users together.
    case clientsOfNamespaces = 3
    /// Requests of all users but the administrators.
    case requests = 4
    /// Requests of one user.
    case requestsOfUser = 5
    /// Regions of one identity.
    case regions = 6
    /// Bytes of identifiers and boundaries of one user's regions.
    case regionBytes = 7
    /// Monitoring lists of all users.
    case lists = 8

    /// As in the JSON output.
    package var name: String { "\(self)" }
  }

  package var kind: Kind
  package var limit: Int
  /// The user of the limit, or the last user that was refused; `nil`: the kernel does not report it.
  package var userID: UInt32?

  package init(_ kind: Kind, limit: Int, userID: UInt32?) {
    (self.kind, self.limit, self.userID) = (kind, limit, userID)
  }
}

/// A limit that was reached in the last hour.
package struct ReachedBound: Hashable, Sendable {
  package var bound: ServiceBound
  /// How often the service refused something because of it.
  package var times: Int
  /// Time since the last refusal.
  package var ago: Duration

  package init(_ bound: ServiceBound, times: Int, ago: Duration) {
    (self.bound, self.times, self.ago) = (bound, times, ago)
  }
}

/// One device as `locationctl devices` lists it. Strings that a device supplied are sanitized and bounded.
package struct DeviceDescription: Hashable, Sendable {
  /// The argument for `devices trust`, `forget` and `--owner`: stable across replugs if the hardware allows it.
  package var id: String
  package var path: String
  package var usbVendorID: UInt16?
  package var usbProductID: UInt16?
  package var product: String?
  /// Receiver chip and firmware, once the receiver has reported them.
  package var chip: String?
  package var firmware: String?
  /// `nmea`, `ubx`, `nmea+ubx`.
  package var protocolName: String?
  package var baud: Int?
  package var kind: DeviceKind
  package var state: DeviceState
  /// The owner, if it is not the default: gpsd, or the service by explicit choice; `nil`: no owner was chosen.
  package var owner: DeviceOwner?
  /// The name that the configuration gives the receiver; `nil`: none.
  package var name: String?

  package init(id: String, path: String, kind: DeviceKind, state: DeviceState) {
    self.id = id
    self.path = path
    self.kind = kind
    self.state = state
  }
}

/// Why a device is in the list.
package enum DeviceKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Certainly a receiver: by VID:PID, product string, or the kernel's `gnss` subsystem.
  case receiver = 0
  /// A general serial adapter; opened only once trusted.
  case adapter = 1
  /// A general serial adapter that an administrator trusted.
  case trusted = 2

  /// As in the JSON output.
  package var name: String { "\(self)" }
}

/// The state of a device.
package enum DeviceState: UInt8, Hashable, Sendable, CaseIterable {
  case closed = 0, opening = 1, hunting = 2, identified = 3, fixing = 4, silent = 5, busy = 6, denied = 7, untrusted = 8
  /// The port is open; reported to a client without exact access, because the receiver's state reveals whether the machine has
  /// a sky view.
  case open = 9

  /// As in the JSON output.
  package var name: String { "\(self)" }

  /// Whether the service opens this port, or has it open. It never opens untrusted adapters, or ports without permission.
  package var isServed: Bool {
    switch self {
    case .untrusted, .denied: false
    case .closed, .opening, .hunting, .identified, .fixing, .silent, .busy, .open: true
    }
  }

  /// Whether the service receives data from a receiver on this port.
  package var isReceiving: Bool {
    switch self {
    case .identified, .fixing, .open: true
    case .closed, .opening, .hunting, .silent, .busy, .denied, .untrusted: false
    }
  }
}

/// The program that opens a receiver that gpsd could open as well.
package enum DeviceOwner: UInt8, Hashable, Sendable, CaseIterable {
  /// This service, whatever gpsd lists.
  case locationd = 0
  /// gpsd; the service then reads the receiver through it.
  case gpsd = 1

  /// As on the command line and in the JSON output.
  package var name: String { "\(self)" }
}

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

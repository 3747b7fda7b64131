import FleetDestinations
import Geodesy
import LocationPolicy

/// A request of a client until its last event, and the state needed to continue it at another instance of the service.
struct OpenRequest: Sendable {
  let request: ClientRequest
  /// By when it must be answered; `nil`: it is a stream, or waits for a person or for the next entry of a log.
  let deadline: Instant?
  /// When it is answered at the latest if the service is not there: even a request with a timeout of zero waits for the
  /// service's greeting.
  let patienceEnd: Instant?
  /// Whether the last report to the client was that there is no position.
  private var isLost = false
  /// The time of the last fix that the client received.
  private var last: GNSSTime?
  /// Set when the service, or a new one, has greeted again: fixes up to this time are repetitions.
  private var horizon: GNSSTime?
  /// When the stream is reported as lost after its service has gone.
  private(set) var lostAt: Instant?

  /// The time limit of requests about devices.
  private static let patience: Duration = .seconds(30)
  /// The time limit of requests that the service answers from memory, or within two seconds if it waits for a disk.
  private static let patienceForProgress: Duration = .seconds(5)
  /// The time limit of requests that need the disk: a card may hang for a minute.
  private static let patienceForDisks: Duration = .seconds(120)
  /// The least time that any request waits while the connection is being set up.
  private static let shortestPatience: Duration = .seconds(1)
  /// The time limit of requests that wait for the answer of a server on the network.
  private static let patienceForServers: Duration = .seconds(75)
  /// A running service answers by the deadline; a service this late has stalled.
  private static let grace: Duration = .seconds(5)
  /// A stream without a service is reported as lost after this time: the least time that the service itself waits for the next fix.
  private static let longestSilence: Duration = .seconds(3)
  /// A fix that is older than the last one by more than this comes from a receiver whose clock was set back, and is delivered.
  private static let widestRepetition: Duration = .seconds(10)

  init(_ request: ClientRequest, at now: Instant) {
    self.request = request
    deadline =
      switch request {
      case .locate(_, let options): now + options.timeout
      case .listDevices, .trustDevice, .forgetDevice, .setOwner, .time: now + Self.patience
      case .status: now + Self.patienceForProgress
      case .log(_, let request): request.isWaiting ? nil : now + Self.patienceForDisks
      case .wifi: now + Self.patienceForDisks
      case .places: now + Self.patienceForServers
      case .fleet(_, let request): now + (request.needsServer ? Self.patienceForServers : Self.patienceForDisks)
      case .monitoring(_, let request): request.isStream ? nil : now + Self.patienceForDisks
      // The person who answers may take their time.
      case .authorization(_, .askFullAccuracy), .startUpdates, .watchSky, .listenIn, .cancel, .deferUpdates: nil
      case .authorization(_, let request): request.isStream ? nil : now + Self.patienceForProgress
      }
    patienceEnd = deadline.map { max($0, now + Self.shortestPatience) }
  }

  /// Whether it ends with the connection, because another service has no record of it.
  var endsWithConnection: Bool { if case .deferUpdates = request { true } else { false } }

  /// By when a running service must have answered; `nil`: the request has no deadline.
  var stallEnd: Instant? { deadline.map { $0 + Self.grace } }

  /// The request as sent at `now`, with its remaining time.
  func remaining(at now: Instant) -> ClientRequest { request.remaining(until: deadline, at: now) }

  /// The events for the client after `event`: without repetitions, and with losses and returns alternating, whichever service
  /// sends them.
  mutating func receive(_ event: ServiceEvent) -> [ServiceEvent] {
    if case .update(let id, let fix, _) = event {
      // A fix that the client received before the service restarted.
      if let horizon, fix.time <= horizon, horizon - fix.time <= Self.widestRepetition { return [] }
      horizon = nil
      last = fix.time
      defer { isLost = false }
      return isLost ? [.streamChanged(id, .back), event] : [event]
    }
    // A new service sends a batch only of fixes that are newer than the call, and the call is newer than the service.
    if case .batch(let id, let batch, _) = event {
      (horizon, last) = (nil, batch.newestTime)
      defer { isLost = false }
      return isLost ? [.streamChanged(id, .back), event] : [event]
    }
    if case .streamChanged(_, .lost) = event {
      defer { isLost = true }
      return isLost ? [] : [event]
    }
    if case .streamChanged(_, .back) = event {
      defer { isLost = false }
      return isLost ? [event] : []
    }
    return [event]
  }

  /// The connection to the service is lost: if the service does not come back in time, a stream is lost, too.
  mutating func serviceLeft(at now: Instant) {
    guard case .startUpdates = request, !isLost, lostAt == nil else { return }
    lostAt = now + Self.longestSilence
  }

  /// The service, or a new one, has greeted again: it reports losses from now on.
  mutating func serviceIsBack() {
    lostAt = nil
    horizon = last
  }

  /// The event for a stream whose service has not come back in time.
  mutating func loss(at now: Instant) -> ServiceEvent? {
    guard let lostAt, now >= lostAt else { return nil }
    self.lostAt = nil
    isLost = true
    return .streamChanged(request.id, .lost)
  }
}

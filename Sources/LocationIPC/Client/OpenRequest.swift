import Geodesy
package import LocationPolicy

/// A request of a client until its last word, and what must be known of it to go on with it at a service that knows nothing.
struct OpenRequest: Sendable {
  let request: ClientRequest
  /// By when it must be answered; `nil`: it is a stream.
  let deadline: Instant?
  /// By when it is answered where the service is not there: whoever cannot wait at all waits for the service's greeting.
  let patienceEnd: Instant?
  /// Whether the client has last been told that there is no position.
  private var isLost = false
  /// What the latest fix that it was told was about.
  private var last: GNSSTime?
  /// Set when a service has it anew: fixes up to then are no news.
  private var horizon: GNSSTime?
  /// By when a stream that its service has left is told lost.
  private(set) var lostAt: Instant?

  /// What has no deadline of its own is to be answered within so long.
  private static let patience: Duration = .seconds(30)
  /// What the service answers out of its own memory, or within two seconds where a disk is to be waited for.
  private static let patienceForWords: Duration = .seconds(5)
  /// A card that hangs for a minute is one that somebody waits for.
  private static let patienceForDisks: Duration = .seconds(120)
  /// How long anything waits for a service that is being met.
  private static let shortestPatience: Duration = .seconds(1)
  /// A service that is there answers by the deadline; this much later it has stalled.
  private static let grace: Duration = .seconds(5)
  /// A stream stays as it is for so long without its service: as long as the service itself waits for the next fix.
  private static let longestSilence: Duration = .seconds(3)
  /// A fix that is older by more is of a receiver whose clock was set back, and is told.
  private static let widestRepetition: Duration = .seconds(10)

  init(_ request: ClientRequest, at now: Instant) {
    self.request = request
    deadline =
      switch request {
      case .locate(_, let options): now + options.timeout
      case .listDevices, .trustDevice, .forgetDevice, .setOwner: now + Self.patience
      case .status: now + Self.patienceForWords
      case .log, .wifi: now + Self.patienceForDisks
      case .monitoring(_, let request): request.isStream ? nil : now + Self.patienceForDisks
      // A person may take their time.
      case .authorization(_, .askFullAccuracy), .startUpdates, .watchSky, .listenIn, .cancel: nil
      case .authorization(_, let request): request.isStream ? nil : now + Self.patienceForWords
      }
    patienceEnd = deadline.map { max($0, now + Self.shortestPatience) }
  }

  /// By when a service that is there must have answered; `nil`: it is a stream.
  var stallEnd: Instant? { deadline.map { $0 + Self.grace } }

  /// The request as it is sent at `now`: what is left of its time.
  func remaining(at now: Instant) -> ClientRequest {
    guard case .locate(let id, var options) = request, let deadline else { return request }
    options.timeout = max(.zero, deadline - now)
    return .locate(id, options)
  }

  /// What the client is told of `event`: nothing twice, and a loss and a return always in turn, whichever service they come from.
  mutating func take(_ event: ServiceEvent) -> [ServiceEvent] {
    switch event {
    case .update(let id, let fix, _):
      // What it had before the service was restarted.
      if let horizon, fix.time <= horizon, horizon - fix.time <= Self.widestRepetition { return [] }
      horizon = nil
      last = fix.time
      defer { isLost = false }
      return isLost ? [.streamChanged(id, .back), event] : [event]
    case .streamChanged(_, .lost):
      defer { isLost = true }
      return isLost ? [] : [event]
    case .streamChanged(_, .back):
      defer { isLost = false }
      return isLost ? [event] : []
    case .streamChanged, .located, .failed, .sky, .progress, .devices, .done, .status, .log, .heard, .authorization,
      .wifi, .monitoring:
      return [event]
    }
  }

  /// Its service has gone.
  mutating func serviceLeft(at now: Instant) {
    guard case .startUpdates = request, !isLost, lostAt == nil else { return }
    lostAt = now + Self.longestSilence
  }

  /// A service has it again: that tells what is lost from now on.
  mutating func serviceIsBack() {
    lostAt = nil
    horizon = last
  }

  /// The word on a stream whose service has not come back.
  mutating func loss(at now: Instant) -> ServiceEvent? {
    guard let lostAt, now >= lostAt else { return nil }
    self.lostAt = nil
    isLost = true
    return .streamChanged(request.id, .lost)
  }
}

/// Events of a list that are being told: each is heard once all have had it whom it was told, and was not lost on all of them. What
/// the service tells again, as it does when it comes back, is told nobody twice.
package struct OpenEvents<Hearer: Hashable & Sendable>: Sendable {
  /// As many are remembered that were heard.
  private static var mostRemembered: Int { 256 }

  private struct Open {
    let event: MonitoringEvent
    var hearers: Set<Hearer>
    var isHeard = false
  }

  private var open: [UInt64: Open] = [:]
  /// Heard; the oldest first. A store that had to begin anew counts anew, so that the number alone says nothing.
  private var heard: [MonitoringEvent] = []

  package enum Standing: Hashable, Sendable {
    case new
    case open
    case heard
  }

  /// None yet.
  package init() {}

  /// How it stands with an event that the service tells.
  package func standing(of event: MonitoringEvent) -> Standing {
    let first = event.firstTold
    if open[event.id]?.event == first { return .open }
    return heard.contains(first) ? .heard : .new
  }

  /// An event is being told.
  package mutating func begin(_ event: MonitoringEvent, to hearers: some Sequence<Hearer>) {
    open[event.id] = Open(event: event.firstTold, hearers: Set(hearers))
  }

  package enum End: Hashable, Sendable {
    /// It has been heard, and that is to be said.
    case heard
    /// Nobody has heard it.
    case lost(MonitoringEvent)
  }

  /// Somebody has heard an event, or will not. `nil`: others have still to.
  package mutating func end(_ id: UInt64, for hearer: Hearer, isHeard: Bool) -> End? {
    guard open[id]?.hearers.remove(hearer) != nil, var event = open[id] else { return nil }
    event.isHeard = event.isHeard || isHeard
    open[id] = event
    guard event.hearers.isEmpty else { return nil }
    open[id] = nil
    guard event.isHeard else { return .lost(event.event) }
    note(event.event)
    return .heard
  }

  /// Nobody has to hear it.
  package mutating func note(_ event: MonitoringEvent) {
    if heard.count == Self.mostRemembered { heard.removeFirst() }
    heard.append(event.firstTold)
  }

  /// What somebody who goes has not heard yet.
  package func waiting(for hearer: Hearer) -> [UInt64] {
    open.filter { $0.value.hearers.contains(hearer) }.keys.sorted()
  }
}

extension MonitoringEvent {
  /// The same as it was told the first time.
  fileprivate var firstTold: MonitoringEvent {
    var event = self
    event.attempt = 1
    return event
  }
}

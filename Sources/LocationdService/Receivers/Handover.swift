package import Geodesy
package import LocationIPC

/// Moves one device from gpsd to the service or back, and keeps it there: sends requests to gpsd's control socket, and
/// trusts only gpsd's device list for the result.
///
/// It does not compete for the device without end: gpsd's hot-plugging, its configuration or another program may give
/// the device back to gpsd again and again. After a few attempts, with growing delays, the device is left where it is
/// until it is plugged in again or its owner is chosen again.
package struct Handover: Sendable {
  package enum Input: Hashable, Sendable {
    /// The service has closed the device's port.
    case portClosed
    /// gpsd's answer to `.ask`; `nil`: gpsd has done it.
    case answered(HandoverProblem?)
    /// Whether gpsd's device list contains the device; `false` if there is no gpsd.
    case listed(Bool)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Restore the receiver's settings and close its port; answered by `.portClosed`.
    case leave
    /// Ask gpsd to release the device, or to take it over; answered by `.answered`.
    case ask
    /// Request gpsd's device list; answered by `.listed`.
    case listDevices
    /// The result of the attempt; after a problem the handover continues.
    case concluded(HandoverProblem?)
  }

  private enum State: Hashable, Sendable {
    /// The device is where it should be.
    case settled
    /// The owner has just been chosen; waits for gpsd's list.
    case checking
    /// The service restores the receiver's settings and closes its port.
    case closing
    case asking
    /// Waits for gpsd's list. `isLast`: the list counts, whatever gpsd has answered.
    case listing(HandoverProblem?, isLast: Bool)
    /// Waits before the list is requested again: a list that was requested before gpsd acted may still show the old
    /// state.
    case listingAgain(Instant)
    /// The device is not where it should be; the next step comes at that time.
    case waiting(HandoverProblem, until: Instant)
  }

  /// The owner that the device should have.
  package let owner: DeviceOwner
  private var state: State
  /// How many times gpsd was asked since it last left the device alone.
  private var attempts = 0
  private var askedAt: Instant?
  private var listings = 0

  /// How many times gpsd is asked before the device is left where it is.
  package static let mostAttempts = 5
  /// After this long without an attempt, a change is a new event and not the same conflict.
  package static let peace: Duration = .seconds(60)
  /// The delay between attempts, and between requests for gpsd's list when no attempt is left: doubled each time, up to the
  /// longest.
  package static let firstDelay: Duration = .seconds(1)
  package static let longestDelay: Duration = .seconds(60)
  /// How long a list that was requested earlier may still be on its way.
  private static let secondListing: Duration = .milliseconds(250)

  /// A handover that was chosen earlier; as far as is known, the device is where it should be.
  package init(to owner: DeviceOwner) {
    self.owner = owner
    state = .settled
  }

  /// A handover that is chosen now.
  package static func chosen(_ owner: DeviceOwner) -> Handover {
    var handover = Handover(to: owner)
    handover.state = .checking
    return handover
  }

  /// Whether it is not yet known which program has the device.
  package var isUndecided: Bool {
    switch state {
    case .checking: true
    case .asking, .listing, .listingAgain: owner == .locationd
    case .settled, .closing, .waiting: false
    }
  }

  /// Whether the device is being handed over to gpsd, so that the service must not open it.
  package var isLeaving: Bool { owner == .gpsd && state != .settled && state != .checking }

  /// Whether gpsd has been asked.
  package var hasAsked: Bool { attempts > 0 }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .waiting(_, let until), .listingAgain(let until): until
    case .settled, .checking, .closing, .asking, .listing: nil
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.checking, .listed(let isListed)):
      if isRight(isListed) { return settle() }
      guard owner == .gpsd else { return ask(at: now) }
      state = .closing
      return [.leave]
    case (.closing, .portClosed): return ask(at: now)
    case (.asking, .answered(let problem)):
      state = .listing(problem, isLast: problem != nil)
      return [.listDevices]
    case (.listing(let problem, let isLast), .listed(let isListed)):
      if isRight(isListed) { return settle() }
      guard isLast else {
        state = .listingAgain(now + Self.secondListing)
        return []
      }
      return wait(problem ?? .refused, at: now)
    case (.listingAgain(let until), .wake) where now >= until:
      state = .listing(nil, isLast: true)
      return [.listDevices]
    case (.settled, .listed(let isListed)) where !isRight(isListed):
      if let askedAt, now - askedAt >= Self.peace { attempts = 0 }
      return attempts == 0 ? ask(at: now) : wait(.refused, at: now)
    case (.listingAgain, .listed(let isListed)) where isRight(isListed),
      (.waiting, .listed(let isListed)) where isRight(isListed),
      (.closing, .listed(let isListed)) where isRight(isListed):
      return settle()
    case (.waiting(let problem, let until), .wake) where now >= until:
      if Self.isWorthAsking(problem), attempts < Self.mostAttempts { return ask(at: now) }
      state = .listing(problem, isLast: true)
      return [.listDevices]
    case (.checking, .portClosed), (.checking, .answered), (.checking, .wake), (.settled, .listed),
      (.settled, .portClosed), (.settled, .answered), (.settled, .wake), (.closing, .listed),
      (.closing, .answered), (.closing, .wake), (.asking, .portClosed), (.asking, .listed), (.asking, .wake),
      (.listing, .portClosed), (.listing, .answered), (.listing, .wake), (.listingAgain, .portClosed),
      (.listingAgain, .answered), (.listingAgain, .listed), (.listingAgain, .wake), (.waiting, .portClosed),
      (.waiting, .answered), (.waiting, .listed), (.waiting, .wake):
      return []
    }
  }

  // MARK: -

  private func isRight(_ isListed: Bool) -> Bool {
    switch owner {
    case .locationd: !isListed
    case .gpsd: isListed
    }
  }

  /// Whether another attempt may have a different result without outside help.
  private static func isWorthAsking(_ problem: HandoverProblem) -> Bool {
    switch problem {
    case .refused, .noAnswer: true
    case .denied, .noSocket, .elsewhere, .unminded: false
    }
  }

  private mutating func ask(at now: Instant) -> [Action] {
    attempts += 1
    askedAt = now
    listings = 0
    state = .asking
    return [.ask]
  }

  private mutating func settle() -> [Action] {
    listings = 0
    state = .settled
    return [.concluded(nil)]
  }

  private mutating func wait(_ problem: HandoverProblem, at now: Instant) -> [Action] {
    let exponent = min(max(attempts - 1, 0) + listings, 6)
    state = .waiting(problem, until: now + min(Self.firstDelay * (1 << exponent), Self.longestDelay))
    listings += 1
    return [.concluded(problem)]
  }
}

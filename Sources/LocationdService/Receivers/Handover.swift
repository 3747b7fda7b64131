package import Geodesy
package import LocationIPC

/// Brings one device from gpsd to the service, or the other way, and keeps it there: asks gpsd through its control socket, and
/// believes its list of devices alone.
///
/// It never fights: gpsd's hot-plugging, its configuration or another program may hand the device to gpsd again and again, and
/// after a few attempts, each later than the one before, it is left where it is until it is plugged in anew or chosen anew.
package struct Handover: Sendable {
  package enum Input: Hashable, Sendable {
    /// The service has the device's port closed now.
    case portClosed
    /// gpsd's answer to `.ask`; `nil`: it has done it.
    case answered(HandoverProblem?)
    /// gpsd's list of devices has it, or has it not; where there is no gpsd, nobody lists it.
    case listed(Bool)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Put the receiver back and close its port; answered by `.portClosed`.
    case leave
    /// Ask gpsd to let it go, or to take it up; answered by `.answered`.
    case ask
    /// Ask for gpsd's list; answered by `.listed`.
    case look
    /// What came of the attempt; it goes on where that is a problem.
    case concluded(HandoverProblem?)
  }

  private enum State: Hashable, Sendable {
    /// It is where it is to be.
    case settled
    /// It was chosen anew; gpsd's list is awaited.
    case checking
    /// The service puts the receiver back and closes its port.
    case closing
    case asking
    /// gpsd's list is awaited. `isLast`: it is believed whatever gpsd has said.
    case looking(HandoverProblem?, isLast: Bool)
    /// A list that was under way before gpsd did it may still say the old.
    case lookingAgain(Instant)
    /// It is where it should not be, until then at least.
    case waiting(HandoverProblem, until: Instant)
  }

  /// Whose it is to be.
  package let owner: DeviceOwner
  private var state: State
  /// How often gpsd was asked since it last left the device in peace.
  private var attempts = 0
  private var askedAt: Instant?
  private var looks = 0

  /// How often gpsd is asked before it is left alone.
  package static let mostAttempts = 5
  /// Without an attempt for so long, what comes is no fight, but a new matter.
  package static let peace: Duration = .seconds(60)
  /// Between attempts, and between looks at gpsd's list where no attempt is left: doubled each time, up to the longest.
  package static let firstDelay: Duration = .seconds(1)
  package static let longestDelay: Duration = .seconds(60)
  /// How long a list that was asked for before may be under way.
  private static let secondLook: Duration = .milliseconds(250)

  /// One that was chosen before, and is where it is to be as far as is known.
  package init(to owner: DeviceOwner) {
    self.owner = owner
    state = .settled
  }

  /// One that is chosen now.
  package static func chosen(_ owner: DeviceOwner) -> Handover {
    var handover = Handover(to: owner)
    handover.state = .checking
    return handover
  }

  /// Whether it is known only in a moment who has it.
  package var isUndecided: Bool {
    switch state {
    case .checking: true
    case .asking, .looking, .lookingAgain: owner == .locationd
    case .settled, .closing, .waiting: false
    }
  }

  /// Whether the service may open it, as far as it is not gpsd's.
  package var isLeaving: Bool { owner == .gpsd && state != .settled && state != .checking }

  /// Whether gpsd was asked.
  package var hasAsked: Bool { attempts > 0 }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    switch state {
    case .waiting(_, let until), .lookingAgain(let until): until
    case .settled, .checking, .closing, .asking, .looking: nil
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
      state = .looking(problem, isLast: problem != nil)
      return [.look]
    case (.looking(let problem, let isLast), .listed(let isListed)):
      if isRight(isListed) { return settle() }
      guard isLast else {
        state = .lookingAgain(now + Self.secondLook)
        return []
      }
      return wait(problem ?? .refused, at: now)
    case (.lookingAgain(let until), .wake) where now >= until:
      state = .looking(nil, isLast: true)
      return [.look]
    case (.settled, .listed(let isListed)) where !isRight(isListed):
      if let askedAt, now - askedAt >= Self.peace { attempts = 0 }
      return attempts == 0 ? ask(at: now) : wait(.refused, at: now)
    case (.lookingAgain, .listed(let isListed)) where isRight(isListed),
      (.waiting, .listed(let isListed)) where isRight(isListed),
      (.closing, .listed(let isListed)) where isRight(isListed):
      return settle()
    case (.waiting(let problem, let until), .wake) where now >= until:
      if Self.isWorthAsking(problem), attempts < Self.mostAttempts { return ask(at: now) }
      state = .looking(problem, isLast: true)
      return [.look]
    case (.checking, .portClosed), (.checking, .answered), (.checking, .wake), (.settled, .listed),
      (.settled, .portClosed), (.settled, .answered), (.settled, .wake), (.closing, .listed),
      (.closing, .answered), (.closing, .wake), (.asking, .portClosed), (.asking, .listed), (.asking, .wake),
      (.looking, .portClosed), (.looking, .answered), (.looking, .wake), (.lookingAgain, .portClosed),
      (.lookingAgain, .answered), (.lookingAgain, .listed), (.lookingAgain, .wake), (.waiting, .portClosed),
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

  /// Whether another attempt may end otherwise, by itself.
  private static func isWorthAsking(_ problem: HandoverProblem) -> Bool {
    switch problem {
    case .refused, .noAnswer: true
    case .denied, .noSocket, .elsewhere, .unminded: false
    }
  }

  private mutating func ask(at now: Instant) -> [Action] {
    attempts += 1
    askedAt = now
    looks = 0
    state = .asking
    return [.ask]
  }

  private mutating func settle() -> [Action] {
    looks = 0
    state = .settled
    return [.concluded(nil)]
  }

  private mutating func wait(_ problem: HandoverProblem, at now: Instant) -> [Action] {
    let exponent = min(max(attempts - 1, 0) + looks, 6)
    state = .waiting(problem, until: now + min(Self.firstDelay * (1 << exponent), Self.longestDelay))
    looks += 1
    return [.concluded(problem)]
  }
}

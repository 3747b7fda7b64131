import Geodesy
package import LinuxIO
package import LocationPolicy

/// Has events' commands run by the agents of their users, and notifications shown: each user's in order and within bounds, again where
/// it is not known how one ended, and never before the store has noted that it is tried.
///
/// No closure is called from within a call of it.
package final class Launcher {
  private final class User {
    var queue: LaunchQueue
    let link: AgentLink
    let timer: EarliestTimer
    /// What is to be sent for an event, by how often it has been told.
    var orders: [UInt64: (Int) -> LaunchOrder.Content?] = [:]
    /// What was told last of how it is reached.
    var problem: AgentProblem?

    init(_ queue: LaunchQueue, _ link: AgentLink, _ timer: EarliestTimer) {
      (self.queue, self.link, self.timer) = (queue, link, timer)
    }
  }

  private let loop: EventLoop
  private let place: AgentPlace
  private let pace: LaunchPace
  private var users: [UInt32: User] = [:]
  /// What is to be done in the loop's next turn, in its order.
  private var pending: [(action: LaunchQueue.Action, user: User, userID: UInt32)] = []
  private var turn: TimerID?
  /// Asks the store to note that an event is told once more; `attemptKept` answers, then or later.
  package var keepAttempt: (_ event: UInt64, _ userID: UInt32) -> Void = { _, _ in }
  /// What became of an event; nothing more happens with it.
  package var onDone: (_ event: UInt64, LaunchOutcome) -> Void = { _, _ in }
  /// There is room for a user's events that were refused.
  package var onRoom: (_ userID: UInt32) -> Void = { _ in }
  package var onNews: (LaunchNews) -> Void = { _ in }

  package init(loop: EventLoop, at place: AgentPlace = .ofEnvironment, pace: LaunchPace = LaunchPace()) {
    (self.loop, self.place, self.pace) = (loop, place, pace)
  }

  /// Has something happen for an event of a user, after those before it. `false`: there is no room; it is to be given again after
  /// `onRoom`, and those behind it after it. One that is here already is not begun twice.
  ///
  /// - Parameter order: what, by how often the event has been told, that time included; `nil`: nothing can be sent; it is done.
  package func launch(
    event: UInt64, userID: UInt32, _ order: @escaping (_ attempt: Int) -> LaunchOrder.Content?
  ) -> Bool {
    let user = user(userID)
    var actions = user.queue.handle(.launch(event), at: loop.now)
    let isTaken = !actions.contains(.refused(event))
    actions.removeAll { $0 == .refused(event) }
    if isTaken, user.orders[event] == nil { user.orders[event] = order }
    put(actions, user, userID)
    return isTaken
  }

  /// Nothing is to happen with an event any more; what runs goes on, and nobody hears how it ends.
  package func forget(event: UInt64, userID: UInt32) {
    guard let user = users[userID] else { return }
    user.orders[event] = nil
    feed(.forget(event), user, userID)
  }

  /// The store has noted that an event is told for the `attempt`th time; `nil`: it cannot.
  package func attemptKept(event: UInt64, userID: UInt32, attempt: Int?) {
    guard let user = users[userID] else { return }
    feed(attempt.map { .attemptKept(event, attempt: $0) } ?? .attemptNotKept(event), user, userID)
  }

  /// Ends; what an agent of this process runs is interrupted, and comes again after the next start.
  package func close() {
    for user in users.values { user.link.leave() }
    users = [:]
    pending = []
  }

  deinit { if let turn { loop.cancel(turn) } }

  // MARK: -

  private func user(_ userID: UInt32) -> User {
    if let user = users[userID] { return user }
    let link = AgentLink(loop: loop, userID: userID, at: place)
    let timer = EarliestTimer(loop) { [unowned self] in
      if let user = users[userID] { feed(.wake, user, userID) }
    }
    let user = User(LaunchQueue(pace: pace), link, timer)
    link.onAnswer = { [unowned self, unowned user] in feed(.answer($0), user, userID) }
    link.onLost = { [unowned self, unowned user] in feed(.lost, user, userID) }
    users[userID] = user
    return user
  }

  private func feed(_ input: LaunchQueue.Input, _ user: User, _ userID: UInt32) {
    put(user.queue.handle(input, at: loop.now), user, userID)
  }

  private func put(_ actions: [LaunchQueue.Action], _ user: User, _ userID: UInt32) {
    user.timer.arm(for: user.queue.nextDeadline)
    pending += actions.map { ($0, user, userID) }
    guard turn == nil, !pending.isEmpty else { return }
    turn = loop.schedule(at: loop.now) { [unowned self] in
      // Who is told may give more; what came of that is done with it.
      while !pending.isEmpty {
        let (action, user, userID) = pending.removeFirst()
        perform(action, user, userID)
      }
      turn = nil
    }
  }

  private func perform(_ action: LaunchQueue.Action, _ user: User, _ userID: UInt32) {
    switch action {
    case .connect: connect(user, userID)
    case .disconnect: user.link.close()
    case .keepAttempt(let event): keepAttempt(event, userID)
    case .send(let event, let attempt, let run): send(event, attempt, run, user, userID)
    case .done(let event, let outcome): finish(event, outcome, user, userID)
    case .refused: preconditionFailure("was answered where it was given")
    case .room: onRoom(userID)
    case .slowed(let waiting): onNews(.slowed(userID: userID, waiting: waiting))
    case .caughtUp(let waited): onNews(.caughtUp(userID: userID, waited: waited))
    case .failing: onNews(.cannotReach(userID: userID, .noAnswer))
    case .answering:
      user.problem = nil
      onNews(.reached(userID: userID))
    }
  }

  private func connect(_ user: User, _ userID: UInt32) {
    do throws(AgentProblem) {
      try user.link.open()
      // One that has gone without an answer each time is reached when it gives one.
      if !user.queue.isFailing {
        if user.problem != nil { onNews(.reached(userID: userID)) }
        user.problem = nil
      }
      feed(.connected, user, userID)
    } catch {
      // Once: it is tried again and again.
      if user.problem != error { onNews(.cannotReach(userID: userID, error)) }
      user.problem = error
      feed(.unreachable, user, userID)
    }
  }

  private func send(_ event: UInt64, _ attempt: Int, _ run: UInt64, _ user: User, _ userID: UInt32) {
    // It was forgotten since, and nobody wants to hear of it.
    guard let order = user.orders[event] else { return }
    guard let content = order(attempt) else {
      feed(.forget(event), user, userID)
      return finish(event, .noOrder, user, userID)
    }
    switch content {
    case .command(let command):
      user.link.send(LaunchOrder(run: run, .command(command.marked(attempt: attempt))))
    case .notice: user.link.send(LaunchOrder(run: run, content))
    }
  }

  private func finish(_ event: UInt64, _ outcome: LaunchOutcome, _ user: User, _ userID: UInt32) {
    user.orders[event] = nil
    switch outcome {
    case .ended(.exited(0)), .shown: break
    case .ended, .unknownCommand, .cannotStart, .cannotShow, .noOrder:
      onNews(.failed(userID: userID, event: event, outcome))
    }
    onDone(event, outcome)
  }
}

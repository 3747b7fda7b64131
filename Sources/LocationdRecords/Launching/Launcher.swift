import Geodesy
package import LinuxIO
package import LocationPolicy

/// Receives the results of launches. Called only from the loop, never from within a call to the launcher.
package protocol LauncherObserver: AnyObject {
  /// Counts another attempt for an event in the store; `attemptKept` reports the result, at once or later.
  func keepAttempt(of event: UInt64, userID: UInt32)
  /// The outcome of the event; nothing follows for the event.
  func ended(_ event: UInt64, _ outcome: LaunchOutcome)
  /// There is room again for events of the user that were refused.
  func hasRoom(forUser userID: UInt32)
  func receive(_ event: LaunchEvent)
}

/// Runs the commands of events and shows notifications through the users' agents: in order for each user, within
/// limits, and again if the outcome is unknown. The store counts every attempt before it is made.
package final class Launcher {
  private final class User {
    var queue: LaunchQueue
    let link: AgentLink
    let timer: EarliestTimer
    /// For each queued event, the closure that creates its request, given the number of the attempt.
    var orders: [UInt64: (Int) -> LaunchRequest.Content?] = [:]
    /// The last problem in reaching the agent that was reported.
    var problem: AgentProblem?

    init(_ queue: LaunchQueue, _ link: AgentLink, _ timer: EarliestTimer) {
      (self.queue, self.link, self.timer) = (queue, link, timer)
    }
  }

  private let loop: EventLoop
  private let place: AgentEndpoint
  private let pace: LaunchRateLimit
  private var users: [UInt32: User] = [:]
  /// Actions to execute in the loop's next turn, in this order.
  private var pending: [(action: LaunchQueue.Action, user: User, userID: UInt32)] = []
  private var turn: TimerID?
  private unowned let observer: any LauncherObserver

  package init(
    loop: EventLoop, at place: AgentEndpoint, pace: LaunchRateLimit = LaunchRateLimit(),
    observer: any LauncherObserver
  ) {
    (self.loop, self.place, self.pace, self.observer) = (loop, place, pace, observer)
  }

  /// Queues an event of a user, after the user's earlier events. Returns `false` if there is no room: the caller offers
  /// the event again after `hasRoom`, and later events after it. An event that is already queued is not added twice.
  ///
  /// - Parameter order: creates the request, given the number of the attempt (including this one); `nil` if nothing can
  ///   be sent, so that the event is done.
  package func launch(
    event: UInt64, userID: UInt32, _ order: @escaping (_ attempt: Int) -> LaunchRequest.Content?
  ) -> Bool {
    let user = user(userID)
    var actions = user.queue.handle(.launch(event), at: loop.now)
    let isTaken = !actions.contains(.refused(event))
    actions.removeAll { $0 == .refused(event) }
    if isTaken, user.orders[event] == nil { user.orders[event] = order }
    put(actions, user, userID)
    return isTaken
  }

  /// Drops an event. A run that has started continues; its outcome is not reported.
  package func forget(event: UInt64, userID: UInt32) {
    guard let user = users[userID] else { return }
    user.orders[event] = nil
    handle(.forget(event), user, userID)
  }

  /// Reports that the store has counted the `attempt`th attempt for an event; `nil` if it could not.
  package func attemptKept(event: UInt64, userID: UInt32, attempt: Int?) {
    guard let user = users[userID] else { return }
    handle(attempt.map { .attemptKept(event, attempt: $0) } ?? .attemptNotKept(event), user, userID)
  }

  /// Closes all connections. Runs of an agent that this process started are interrupted and repeated after the next start.
  package func close() {
    for user in users.values { user.link.leave() }
    users = [:]
    pending = []
  }

  deinit { if let turn { loop.cancel(turn) } }

  // MARK: -

  private func user(_ userID: UInt32) -> User {
    if let user = users[userID] { return user }
    let link = AgentLink(loop: loop, userID: userID, at: place, observer: self)
    let timer = EarliestTimer(loop) { [unowned self] in
      if let user = users[userID] { handle(.wake, user, userID) }
    }
    let user = User(LaunchQueue(pace: pace), link, timer)
    users[userID] = user
    return user
  }

  private func handle(_ input: LaunchQueue.Input, _ user: User, _ userID: UInt32) {
    put(user.queue.handle(input, at: loop.now), user, userID)
  }

  private func put(_ actions: [LaunchQueue.Action], _ user: User, _ userID: UInt32) {
    user.timer.arm(for: user.queue.nextDeadline)
    pending += actions.map { ($0, user, userID) }
    guard turn == nil, !pending.isEmpty else { return }
    turn = loop.schedule(at: loop.now) { [unowned self] in
      // A callback may queue further actions; they are executed in the same turn.
      while !pending.isEmpty {
        let (action, user, userID) = pending.removeFirst()
        execute(action, user, userID)
      }
      turn = nil
    }
  }

  private func execute(_ action: LaunchQueue.Action, _ user: User, _ userID: UInt32) {
    switch action {
    case .connect: connect(user, userID)
    case .disconnect: user.link.close()
    case .keepAttempt(let event): observer.keepAttempt(of: event, userID: userID)
    case .send(let event, let attempt, let run): send(event, attempt, run, user, userID)
    case .done(let event, let outcome): finish(event, outcome, user, userID)
    case .refused: preconditionFailure("was answered where it was given")
    case .room: observer.hasRoom(forUser: userID)
    case .slowed(let waiting): observer.receive(.slowed(userID: userID, waiting: waiting))
    case .caughtUp(let waited): observer.receive(.caughtUp(userID: userID, waited: waited))
    case .failing: observer.receive(.cannotReach(userID: userID, .noAnswer))
    case .answering:
      user.problem = nil
      observer.receive(.reached(userID: userID))
    }
  }

  private func connect(_ user: User, _ userID: UInt32) {
    do throws(AgentProblem) {
      try user.link.open()
      // After repeated losses without an answer, the agent counts as reached only when it answers (`.answering`).
      if !user.queue.isFailing {
        if user.problem != nil { observer.receive(.reached(userID: userID)) }
        user.problem = nil
      }
      handle(.connected, user, userID)
    } catch {
      // Each problem is reported once, because connecting is retried repeatedly.
      if user.problem != error { observer.receive(.cannotReach(userID: userID, error)) }
      user.problem = error
      handle(.unreachable, user, userID)
    }
  }

  private func send(_ event: UInt64, _ attempt: Int, _ run: UInt64, _ user: User, _ userID: UInt32) {
    // The event was forgotten in the meantime, and no caller waits for its outcome.
    guard let order = user.orders[event] else { return }
    guard let content = order(attempt) else {
      handle(.forget(event), user, userID)
      return finish(event, .noOrder, user, userID)
    }
    switch content {
    case .command(let command):
      user.link.send(LaunchRequest(run: run, .command(command.marked(attempt: attempt))))
    case .notification: user.link.send(LaunchRequest(run: run, content))
    }
  }

  private func finish(_ event: UInt64, _ outcome: LaunchOutcome, _ user: User, _ userID: UInt32) {
    user.orders[event] = nil
    switch outcome {
    case .ended(.exited(0)), .shown: break
    case .ended, .unknownCommand, .cannotStart, .cannotShow, .noOrder:
      observer.receive(.failed(userID: userID, event: event, outcome))
    }
    observer.ended(event, outcome)
  }
}

extension Launcher: AgentLinkObserver {
  func receive(_ answer: LaunchResponse, fromAgentOf userID: UInt32) {
    if let user = users[userID] { handle(.answer(answer), user, userID) }
  }

  func lostAgent(of userID: UInt32) {
    if let user = users[userID] { handle(.lost, user, userID) }
  }
}

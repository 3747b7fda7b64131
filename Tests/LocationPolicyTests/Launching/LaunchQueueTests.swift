import Geodesy
import LocationPolicy
import TestSupport
import Testing

@Suite struct LaunchQueueTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  /// A queue whose agent is connected and whose first event is running.
  private func running(_ event: UInt64 = 7, at start: Instant) -> LaunchQueue {
    var queue = LaunchQueue()
    #expect(queue.handle(.launch(event), at: start) == [.connect])
    #expect(queue.handle(.connected, at: start) == [.keepAttempt(event)])
    #expect(queue.handle(.attemptKept(event, attempt: 1), at: start) == [.send(event, attempt: 1, run: 1)])
    return queue
  }

  @Test func anEventIsNotedThenSentThenDone() {
    var queue = running(at: start)
    #expect(queue.handle(.answer(LaunchResponse(run: 1, .started)), at: start) == [])
    #expect(
      queue.handle(.answer(LaunchResponse(run: 1, .ended(.exited(1)))), at: start) == [.done(7, .ended(.exited(1)))])
    // The queue disconnects the agent if nothing follows.
    #expect(queue.nextDeadline == start + LaunchQueue.idleTime)
    #expect(queue.handle(.wake, at: start + LaunchQueue.idleTime) == [.disconnect])
    #expect(queue.nextDeadline == nil)
  }

  @Test(arguments: [
    (LaunchResponse.Content.ended(.killed(signal: 9)), LaunchOutcome.ended(.killed(signal: 9))),
    (.ended(.outOfTime), .ended(.outOfTime)), (.unknownCommand, .unknownCommand), (.shown, .shown),
    (.cannotShow(.noDesktop), .cannotShow(.noDesktop)),
  ]) func whatIsKnownToHaveEndedIsDone(_ answer: LaunchResponse.Content, _ outcome: LaunchOutcome) {
    var queue = running(at: start)
    #expect(queue.handle(.answer(LaunchResponse(run: 1, answer)), at: start) == [.done(7, outcome)])
    #expect(queue.handle(.answer(LaunchResponse(run: 1, answer)), at: start) == [], "twice is once")
  }

  @Test func whatTheAgentTookWithItComesAgainAndIsMarked() {
    var queue = running(at: start)
    #expect(queue.handle(.lost, at: start) == [])
    #expect(queue.nextDeadline == start + .seconds(1))
    #expect(queue.handle(.wake, at: start + .milliseconds(999)) == [])
    #expect(queue.handle(.wake, at: start + .seconds(1)) == [.connect])
    #expect(queue.handle(.connected, at: start + .seconds(1)) == [.keepAttempt(7)])
    #expect(
      queue.handle(.attemptKept(7, attempt: 2), at: start + .seconds(1)) == [.send(7, attempt: 2, run: 2)])
    // An answer to the first run is ignored.
    #expect(queue.handle(.answer(LaunchResponse(run: 1, .ended(.exited(0)))), at: start + .seconds(1)) == [])
  }

  @Test(arguments: [LaunchResponse.Content.ended(.exited(75)), .cannotStart(errno: 11)])
  func retriesBackOffAndStopAfterFive(_ answer: LaunchResponse.Content) {
    var queue = running(at: start)
    var (now, pauses, done) = (start, [Duration](), false)
    for attempt in 1...5 {
      let actions = queue.handle(.answer(LaunchResponse(run: UInt64(attempt), answer)), at: now)
      if attempt == 5 {
        done = actions.contains { if case .done(7, _) = $0 { true } else { false } }
        break
      }
      // If the pause is longer, the agent is disconnected meanwhile.
      while let deadline = queue.nextDeadline {
        let then = queue.handle(.wake, at: deadline)
        guard then != [.disconnect] else { continue }
        pauses.append(deadline - now)
        now = deadline
        if then == [.connect] { #expect(queue.handle(.connected, at: now) == [.keepAttempt(7)]) }
        break
      }
      #expect(
        queue.handle(.attemptKept(7, attempt: attempt + 1), at: now)
          == [.send(7, attempt: attempt + 1, run: UInt64(attempt) + 1)])
    }
    #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(done)
  }

  @Test func anAgentThatIsNotThereIsTriedEverMoreSeldomAndNothingIsLost() {
    var queue = LaunchQueue()
    #expect(queue.handle(.launch(1), at: start) == [.connect])
    #expect(queue.handle(.launch(2), at: start) == [])
    var (now, pauses) = (start, [Duration]())
    for _ in 0..<12 {
      #expect(queue.handle(.unreachable, at: now) == [])
      guard let deadline = queue.nextDeadline else {
        Issue.record("it does not try again")
        return
      }
      pauses.append(deadline - now)
      now = deadline
      #expect(queue.handle(.wake, at: now) == [.connect])
    }
    #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(pauses.last == .seconds(300))
    #expect(queue.handle(.connected, at: now) == [.keepAttempt(1)])
  }

  @Test func tenImmediatelyThenOneEveryTwoSeconds() {
    var queue = LaunchQueue()
    var (now, sent, eventActions) = (start, [Instant](), [LaunchQueue.Action]())
    var actions = (1...30).flatMap { queue.handle(.launch($0), at: start) }
    while sent.count < 30 {
      while !actions.isEmpty {
        switch actions.removeFirst() {
        case .connect: actions += queue.handle(.connected, at: now)
        case .keepAttempt(let event): actions += queue.handle(.attemptKept(event, attempt: 1), at: now)
        case .send(let event, _, let run):
          #expect(event == UInt64(sent.count + 1), "in order")
          sent.append(now)
          actions += queue.handle(.answer(LaunchResponse(run: run, .ended(.exited(0)))), at: now)
        case .disconnect, .done: break
        case let other: eventActions.append(other)
        }
      }
      guard sent.count < 30, let deadline = queue.nextDeadline else { break }
      now = deadline
      actions = queue.handle(.wake, at: now)
    }
    #expect(sent.count == 30)
    #expect(sent.prefix(10).allSatisfy { $0 == start })
    for (index, time) in sent.dropFirst(10).enumerated() { #expect(time == start + .seconds(2 * (index + 1))) }
    // Nothing waits after the last event: that is reported when one more could start.
    eventActions += queue.handle(.wake, at: now + .seconds(2))
    #expect(eventActions == [.slowed(waiting: 20), .caughtUp(waited: 20)])
  }

  @Test func thereIsRoomForSixtyFourAndItIsReportedWhenThereIsAgain() {
    var queue = LaunchQueue(pace: LaunchRateLimit(burst: 1000))
    var actions = (1...70).flatMap { queue.handle(.launch($0), at: start) }
    #expect(actions == [.connect] + (65...70).map { .refused($0) })
    var (done, rooms) = ([UInt64](), 0)
    actions = queue.handle(.connected, at: start)
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .keepAttempt(let event): actions += queue.handle(.attemptKept(event, attempt: 1), at: start)
      case .send(_, _, let run):
        actions += queue.handle(.answer(LaunchResponse(run: run, .ended(.exited(0)))), at: start)
      case .done(let event, _): done.append(event)
      case .room:
        rooms += 1
        actions += (65...70).flatMap { queue.handle(.launch($0), at: start) }
      case let other: Issue.record("\(other)")
      }
    }
    #expect(done == Array(1...70))
    #expect(rooms == 1)
  }

  @Test func anAgentThatSaysNothingIsGivenUp() {
    var queue = running(at: start)
    #expect(queue.nextDeadline == start + LaunchQueue.patience)
    #expect(queue.handle(.wake, at: start + LaunchQueue.patience) == [.disconnect])
    #expect(queue.nextDeadline == start + LaunchQueue.patience + .seconds(1))
  }

  /// The agent dies before the store has saved the attempt; returns what is reported about that.
  private func connectAndLose(_ queue: inout LaunchQueue, attempt: Int, at now: Instant) -> [LaunchQueue.Action] {
    #expect(queue.handle(.connected, at: now) == [.keepAttempt(7)])
    let reported = queue.handle(.lost, at: now)
    #expect(queue.nextDeadline == nil, "the store comes first")
    #expect(queue.handle(.attemptKept(7, attempt: attempt), at: now) == [])
    return reported
  }

  @Test func anAgentThatDiesImmediatelyIsTriedEverMoreSeldomAndThatIsReportedOnce() {
    var queue = LaunchQueue()
    #expect(queue.handle(.launch(7), at: start) == [.connect])
    var (now, pauses, reported) = (start, [Duration](), [[LaunchQueue.Action]]())
    for attempt in 1...12 {
      reported.append(connectAndLose(&queue, attempt: attempt, at: now))
      #expect(queue.isFailing == (attempt >= LaunchQueue.mostLosses))
      guard let deadline = queue.nextDeadline else {
        Issue.record("it does not try again")
        return
      }
      pauses.append(deadline - now)
      #expect(queue.handle(.wake, at: deadline - .nanoseconds(1)) == [])
      now = deadline
      #expect(queue.handle(.wake, at: now) == [.connect])
    }
    #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(pauses.last == .seconds(300))
    #expect(reported.firstIndex(of: [.failing]) == LaunchQueue.mostLosses - 1)
    #expect(reported.joined().count == 1)
    // A saved attempt counts, and an answer ends the failures.
    #expect(queue.handle(.connected, at: now) == [.keepAttempt(7)])
    #expect(queue.handle(.attemptKept(7, attempt: 13), at: now) == [.send(7, attempt: 13, run: 1)])
    #expect(queue.handle(.answer(LaunchResponse(run: 1, .started)), at: now) == [])
    #expect(queue.isFailing)
    #expect(
      queue.handle(.answer(LaunchResponse(run: 1, .ended(.exited(0)))), at: now)
        == [.answering, .done(7, .ended(.exited(0)))])
    #expect(!queue.isFailing)
  }

  @Test func anAnswerBeginsTheCountAgain() {
    var queue = running(1, at: start)
    var (now, reported) = (start, [LaunchQueue.Action]())
    // Each time the agent answers for one event, and dies while the next attempt is saved.
    for event in 2...UInt64(6) {
      reported += queue.handle(.answer(LaunchResponse(run: event - 1, .ended(.exited(0)))), at: now)
      #expect(queue.handle(.launch(event), at: now) == [.keepAttempt(event)])
      reported += queue.handle(.lost, at: now)
      #expect(queue.handle(.attemptKept(event, attempt: 1), at: now) == [])
      #expect(queue.nextDeadline == now + .seconds(1))
      now = now + .seconds(1)
      #expect(queue.handle(.wake, at: now) == [.connect])
      #expect(queue.handle(.connected, at: now) == [.keepAttempt(event)])
      #expect(queue.handle(.attemptKept(event, attempt: 2), at: now) == [.send(event, attempt: 2, run: event)])
    }
    #expect(reported == (1...5).map { .done($0, .ended(.exited(0))) })
  }

  @Test func anAgentThatGoesWithNothingToDoIsLeftAloneOnlyWhereItNeverAnswered() {
    var queue = running(at: start)
    _ = queue.handle(.answer(LaunchResponse(run: 1, .shown)), at: start)
    #expect(queue.handle(.lost, at: start) == [])
    #expect(queue.handle(.launch(8), at: start) == [.connect])
    #expect(queue.handle(.connected, at: start) == [.keepAttempt(8)])
    #expect(queue.handle(.forget(8), at: start) == [])
    #expect(queue.handle(.lost, at: start) == [])
    #expect(queue.handle(.launch(9), at: start) == [])
    #expect(queue.nextDeadline == start + .seconds(1))
  }

  @Test func whatTheStoreCannotNoteIsNotSent() {
    var queue = LaunchQueue()
    _ = queue.handle(.launch(1), at: start)
    _ = queue.handle(.launch(2), at: start)
    #expect(queue.handle(.connected, at: start) == [.keepAttempt(1)])
    // The second event does not overtake it.
    #expect(queue.handle(.attemptNotKept(1), at: start) == [])
    #expect(queue.nextDeadline == start + .seconds(1))
    #expect(queue.handle(.wake, at: start + .seconds(1)) == [.keepAttempt(1)])
  }

  @Test func deletedLogsAreNotStarted() {
    var queue = running(1, at: start)
    _ = queue.handle(.launch(2), at: start)
    #expect(queue.handle(.forget(2), at: start) == [])
    #expect(queue.handle(.attemptKept(2, attempt: 1), at: start) == [])
    #expect(queue.handle(.forget(1), at: start) == [])
    #expect(queue.handle(.answer(LaunchResponse(run: 1, .ended(.exited(0)))), at: start) == [])
  }
}

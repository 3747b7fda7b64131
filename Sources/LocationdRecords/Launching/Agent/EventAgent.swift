import Geodesy
package import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// The program around an agent.
package protocol EventAgentObserver: AnyObject {
  func receive(_ event: AgentEvent)
  /// Called after a period without runs and clients, or when `end()` is complete.
  func agentIsIdle()
}

/// A user's agent: when the service reports an event, the agent runs the command that the user saved for the event, as
/// that user, and reports how the command ended.
///
/// A request identifies its command only by a token, so that an attacker who controls the service cannot make the agent
/// run anything else.
package final class EventAgent {
  /// Maximum number of concurrent runs; further requests stay in the sockets.
  package static let mostRuns = 4
  /// Maximum number of concurrent clients; further connections are closed.
  package static let mostClients = 4
  /// Events come in bursts; therefore an idle agent keeps running for this time. After it has exited, its socket unit starts it
  /// again at the next connection.
  private static let idleTime: Duration = .seconds(60)

  private enum Run {
    case command(CommandRun)
    case notification(NotificationProcess)
  }

  private let loop: EventLoop
  private let surroundings: AgentEnvironment
  private unowned let observer: any EventAgentObserver
  /// `nil` if the only client is the process that started the agent.
  private let listener: UnixListener?
  private var clients: [UInt64: AgentClient] = [:]
  private var runs: [UInt64: Run] = [:]
  private var nextNumber: UInt64 = 1
  private var idleTimer: TimerID?
  private var isEnding = false

  package init(
    loop: EventLoop, listener: consuming UnixListener, in surroundings: AgentEnvironment,
    observer: any EventAgentObserver
  ) throws(SystemError) {
    (self.loop, self.surroundings, self.observer) = (loop, surroundings, observer)
    let descriptor = listener.descriptor
    self.listener = consume listener
    _ = try loop.watch(descriptor) { [unowned self] _ in accept() }
    waitIdle()
  }

  /// An agent for the one client that started it; it accepts no other clients.
  package init(
    loop: EventLoop, client: consuming UnixStream, in surroundings: AgentEnvironment, observer: any EventAgentObserver
  ) {
    (self.loop, self.surroundings, self.observer) = (loop, surroundings, observer)
    listener = nil
    accept(client)
  }

  /// Interrupts all commands; `agentIsIdle` follows when all runs have ended.
  package func end() {
    isEnding = true
    for run in runs.values { if case .command(let command) = run { command.interrupt() } }
    waitIdle()
  }

  // MARK: Clients

  private func accept() {
    while let stream = try? listener?.accept() { accept(stream) }
    waitIdle()
  }

  private func accept(_ stream: consuming UnixStream) {
    let peer = stream.peer
    guard let peer, surroundings.masters.contains(peer.userID) else {
      observer.receive(.refused(userID: peer?.userID))
      return waitIdle()
    }
    guard clients.count < Self.mostClients else { return }
    let number = takeNumber()
    let client = AgentClient(loop: loop, stream, number: number, of: self)
    guard (try? client.begin()) != nil else { return waitIdle() }
    clients[number] = client
    client.pause(isFull)
    waitIdle()
  }

  private var isFull: Bool { runs.count >= Self.mostRuns || isEnding }

  /// Called when a client's connection has ended or failed.
  func lost(_ number: UInt64) {
    clients[number] = nil
    waitIdle()
  }

  /// Starts received requests, those of the oldest client first, while fewer than `mostRuns` runs are in progress, and none after
  /// `end()`.
  func takeOrders() {
    for (number, client) in clients.sorted(by: { $0.key < $1.key }) {
      do throws(MessageError) {
        while !isFull, let order = try client.next() { begin(order, of: number) }
      } catch {
        observer.receive(.foreign)
        client.close()
        clients[number] = nil
      }
    }
    for client in clients.values { client.pause(isFull) }
    waitIdle()
  }

  // MARK: Runs

  private func begin(_ order: LaunchRequest, of client: UInt64) {
    switch order.content {
    case .command(let command): answer(begin(command, order.run, of: client), order.run, to: client)
    case .notification(let notification):
      let number = takeNumber()
      do throws(NotificationProblem) {
        runs[number] = .notification(
          try NotificationProcess(loop: loop, notification, in: surroundings) { [unowned self] problem in
            answer(problem.map { .cannotShow($0) } ?? .shown, order.run, to: client)
            finish(number)
          })
      } catch {
        answer(.cannotShow(error), order.run, to: client)
      }
    }
  }

  /// Starts the command and returns the immediate answer.
  private func begin(_ order: LaunchCommand, _ run: UInt64, of client: UInt64) -> LaunchResponse.Content {
    let number = takeNumber()
    do throws(CommandStoreError) {
      let command = try surroundings.commandStore.command(order.token)
      do throws(SystemError) {
        let begun = try CommandRun(loop: loop, order, command, in: surroundings) { [unowned self] ending in
          if let ending {
            observer.receive(.ended(order.token, ending))
            answer(.ended(ending), run, to: client)
          }
          finish(number)
        }
        runs[number] = .command(begun)
        observer.receive(.started(order.token, processID: begun.processID))
        return .started
      } catch {
        observer.receive(.cannotStart(order.token, errno: error.errno))
        return .cannotStart(errno: error.errno)
      }
    } catch {
      // If the home folder is not mounted (locked until its user logs in), the command exists but cannot be read yet.
      guard error != .unknown || surroundings.commandStore.isReachable else {
        observer.receive(.cannotStart(order.token, errno: SystemError.noSuchThing))
        return .cannotStart(errno: SystemError.noSuchThing)
      }
      observer.receive(.noCommand(order.token, error))
      return .unknownCommand
    }
  }

  private func answer(_ content: LaunchResponse.Content, _ run: UInt64, to client: UInt64) {
    clients[client]?.answer(LaunchResponse(run: run, content))
  }

  private func finish(_ number: UInt64) {
    // Deferred: the run's own closure is being executed, and this table holds the only reference to the run.
    loop.schedule(at: loop.now) { [unowned self] in
      runs[number] = nil
      takeOrders()
    }
  }

  private func takeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private func waitIdle() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = nil
    guard runs.isEmpty, clients.isEmpty || isEnding else { return }
    // An agent without a listener cannot get another client.
    let time: Duration = listener == nil || isEnding ? .zero : Self.idleTime
    idleTimer = loop.schedule(at: MonotonicClock.now() + time) { [unowned self] in observer.agentIsIdle() }
  }
}

import LinuxIO
import LocationdConfiguration
import LocationdRecords

/// `locationd event-agent`: runs the commands that its user has saved for events. It is started by its socket (see
/// `location-agent@.socket`), or by a service that runs without systemd units, and exits by itself.
enum EventAgentProgram {
  static func run() throws(HelperProblem) {
    // The passed sockets must be taken before anything else is opened.
    if let listener = ActivatedSockets.takeUnixAlone() { return try serve(listener) }
    guard let client = UnixStream.standardInput() else { throw .noSocket(unit: "location-agent@UID.socket") }
    try serve(client)
  }

  private static func serve(_ listener: consuming UnixListener) throws(HelperProblem) {
    do throws(SystemError) {
      let run = AgentRun(try EventLoop())
      try run.serve(try EventAgent(loop: run.loop, listener: listener, in: .ofProcess, observer: run))
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }

  private static func serve(_ client: consuming UnixStream) throws(HelperProblem) {
    do throws(SystemError) {
      let run = AgentRun(try EventLoop())
      try run.serve(EventAgent(loop: run.loop, client: client, in: .ofProcess, observer: run))
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }
}

/// One run of the agent's program, until the agent is idle.
private final class AgentRun: EventAgentObserver {
  let loop: EventLoop
  private let log = DaemonLog()

  init(_ loop: EventLoop) { self.loop = loop }

  func serve(_ agent: EventAgent) throws(SystemError) {
    try loop.watchSignals([SignalNumber.terminate, SignalNumber.interrupt]) { _ in agent.end() }
    try withExtendedLifetime(agent) { () throws(SystemError) in try loop.run() }
  }

  func receive(_ event: AgentEvent) { log.line(event.isProblem ? .warning : .info, event.sentence) }

  func agentIsIdle() { loop.stop() }
}

import LinuxIO
import LocationdRecords

/// `locationd event-agent`: runs the commands that its user has registered for events. It is started by its socket (see
/// `location-agent@.socket`), or by a service that runs without systemd units, and exits on its own.
enum EventAgentProgram {
  static func run() throws(HelperProblem) {
    // Take the passed sockets before anything else is opened.
    if let listener = ActivatedSockets.take() { return try serve(listener) }
    guard let client = UnixStream.standardInput() else { throw .noSocket(unit: "location-agent@UID.socket") }
    try serve(client)
  }

  private static func serve(_ listener: consuming UnixListener) throws(HelperProblem) {
    do throws(SystemError) {
      let loop = try EventLoop()
      try run(try EventAgent(loop: loop, listener: listener, in: .ofProcess) { loop.stop() }, loop)
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }

  private static func serve(_ client: consuming UnixStream) throws(HelperProblem) {
    do throws(SystemError) {
      let loop = try EventLoop()
      try run(EventAgent(loop: loop, client: client, in: .ofProcess) { loop.stop() }, loop)
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }

  private static func run(_ agent: EventAgent, _ loop: EventLoop) throws(SystemError) {
    let log = DaemonLog()
    agent.onNews = { log.line($0.isProblem ? .warning : .information, $0.sentence) }
    try loop.watchSignals([SignalNumber.terminate, SignalNumber.interrupt]) { _ in agent.end() }
    try withExtendedLifetime(agent) { () throws(SystemError) in try loop.run() }
  }
}

import LinuxIO
import LocationdRecords

/// `locationd event-agent`: runs what its user has noted for events. It is started by its socket, for which see
/// `location-agent@.socket`, or by a service that has no units, and ends by itself.
enum EventAgentProgram {
  static func run() throws(HelperProblem) {
    // Before anything is opened.
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

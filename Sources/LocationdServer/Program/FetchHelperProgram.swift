import LinuxDevices
import LinuxIO
import LocationIPC

/// `locationd fetch-helper`: the only part of the service that may use the network; it does nothing else. It is started
/// by its socket (see `location-fetch.socket`), or by a service that runs without systemd units, and exits by itself.
enum FetchHelperProgram {
  static func run() throws(HelperProblem) {
    // The passed sockets must be taken before anything else is opened.
    if let listener = ActivatedSockets.takeUnixAlone() { return try serve(listener) }
    guard let client = UnixStream.standardInput() else { throw .noSocket(unit: "location-fetch.socket") }
    try serve(client)
  }

  /// The program's name and version, which are sent to servers.
  private static let agent = "swift-corelocation/\(Release.current)"

  private static func serve(_ listener: consuming UnixListener) throws(HelperProblem) {
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = try FetchServer(loop: loop, listener: listener, agent: agent) { loop.stop() }
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }

  private static func serve(_ client: consuming UnixStream) throws(HelperProblem) {
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = FetchServer(loop: loop, client: client, agent: agent) { loop.stop() }
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }
}

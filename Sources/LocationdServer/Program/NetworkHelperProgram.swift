import LinuxDevices
import LinuxIO

/// `locationd net-helper`: the only part of the service that has connections to other machines; it does nothing else. It is started by
/// its socket (see `location-net.socket`), or by a service that runs without systemd units, and exits on its own.
enum NetworkHelperProgram {
  static func run() throws(HelperProblem) {
    // Take the passed sockets before anything else is opened.
    if let listener = ActivatedSockets.takeUnixAlone() { return try serve(listener) }
    guard let client = UnixStream.standardInput() else { throw .noSocket(unit: "location-net.socket") }
    try serve(client)
  }

  private static func serve(_ listener: consuming UnixListener) throws(HelperProblem) {
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = try NetworkHelperServer(loop: loop, listener: listener) { loop.stop() }
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }

  private static func serve(_ client: consuming UnixStream) throws(HelperProblem) {
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = NetworkHelperServer(loop: loop, client: client) { loop.stop() }
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }
}

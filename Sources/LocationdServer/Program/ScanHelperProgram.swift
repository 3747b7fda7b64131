import LinuxDevices
import LinuxIO

/// `locationd scan-helper`: the only part of the service that may start scans on a Wi-Fi radio; it does nothing else.
/// It is started by its socket (see `location-scan.socket`) and exits by itself.
enum ScanHelperProgram {
  static func run() throws(HelperProblem) {
    // The passed sockets must be taken before anything else is opened.
    guard let listener = ActivatedSockets.takeUnixAlone() else { throw .noSocket(unit: "location-scan.socket") }
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = try ScanHelperServer(loop: loop, listener: listener) { loop.stop() }
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }
}

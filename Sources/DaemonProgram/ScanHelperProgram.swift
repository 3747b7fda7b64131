import LinuxDevices
import LinuxIO

/// `locationd scan-helper`: the part of the service that may have a Wi-Fi radio scan, and nothing else. It is started by its
/// socket, for which see `location-scan.socket`, and ends by itself.
enum ScanHelperProgram {
  static func run() throws(HelperProblem) {
    // Before anything is opened.
    guard let listener = ActivatedSockets.take() else { throw .noSocket(unit: "location-scan.socket") }
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = try ScanHelperServer(loop: loop, listener: listener) { loop.stop() }
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }
}

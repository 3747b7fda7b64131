import Geodesy
import LinuxDevices
import LinuxIO
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdHost
import TimeService

/// `locationd time-helper`: the only part of the service that may write to the sockets of chronyd, and, if the administrator has
/// switched it on, set the system's clock once after a boot. It is started by its socket (see `location-time.socket`) and exits on its
/// own.
enum TimeHelperProgram {
  /// In the unit's runtime directory, which lasts until the machine ends.
  private static let mark = "/run/locationd-time/clock-set"

  static func run() throws(HelperProblem) {
    // Take the passed sockets before anything else is opened.
    guard let listener = ActivatedSockets.takeUnixAlone() else { throw .noSocket(unit: "location-time.socket") }
    let log = DaemonLog()
    do throws(SystemError) {
      let loop = try EventLoop()
      let server = try TimeHelperServer(
        loop: loop, listener: listener, mark: mark,
        // As the unit of locationd has them. Only root can change these files.
        settings: { ConfigurationFiles.ofProcess.load(ofUnit: true).settings.time },
        onSet: { log.write(.clockSet($0)) }, onIdle: { loop.stop() })
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      throw .system(operation: error.operation, errno: error.errno)
    }
  }
}

import LinuxIO
import LocationIPC
import LocationdClient
import LocationdConfiguration
import LocationdConfigurationFiles

/// The whole run of the daemon: from its arguments to its exit status, which is one of those that `--help` lists.
package enum DaemonProgram {
  private static let done: Int32 = 0
  private static let usage: Int32 = 64
  private static let badInput: Int32 = 65
  private static let cannotListen: Int32 = 73
  private static let tryAgain: Int32 = 75
  private static let denied: Int32 = 77

  package static func run(_ arguments: [String]) -> Int32 {
    do throws(DaemonArguments.Problem) {
      let parsed = try DaemonArguments(arguments)
      switch parsed.task {
      case .printVersion: return print(Release.current)
      case .printHelp: return print(DaemonArguments.help)
      case .serve: return try serve(parsed)
      case .helpScan: return help { () throws(HelperProblem) in try ScanHelperProgram.run() }
      case .helpFetch: return help { () throws(HelperProblem) in try FetchHelperProgram.run() }
      case .helpNetwork: return help { () throws(HelperProblem) in try NetworkHelperProgram.run() }
      case .helpFleet: return help { () throws(HelperProblem) in try FleetHelperProgram.run() }
      case .helpTime: return help { () throws(HelperProblem) in try TimeHelperProgram.run() }
      case .runEvents: return help { () throws(HelperProblem) in try EventAgentProgram.run() }
      }
    } catch {
      StandardError.write(Array("locationd: \(error.sentence)\nSee 'locationd --help'.\n".utf8))
      return usage
    }
  }

  private static func print(_ text: String) -> Int32 {
    switch StandardOutput.write(Array("\(text)\n".utf8)) {
    case .written, .readerGone: done
    case .failed: cannotListen
    }
  }

  private static func serve(_ arguments: DaemonArguments) throws(DaemonArguments.Problem) -> Int32 {
    let options = arguments.options
    var configuration = DaemonHost.Configuration(release: Release.current) {
      ConfigurationFiles.ofProcess.load(options: options)
    }
    configuration.isRealtime = arguments.isRealtime
    let settings = configuration.settings
    try arguments.check(settings.settings.receivers)
    let log = DaemonLog(level: settings.settings.logLevel)
    for problem in settings.problems { log.warn(problem.sentence) }
    do throws(HostError) {
      let host = try DaemonHost(configuration, log: log)
      try host.run()
      return done
    } catch {
      log.write(error)
      return status(error)
    }
  }

  private static func help(_ run: () throws(HelperProblem) -> Void) -> Int32 {
    do throws(HelperProblem) {
      try run()
      return done
    } catch {
      let log = DaemonLog()
      switch error {
      case .noSocket(let unit):
        log.line(
          .error, "systemd has not passed a socket to this program: start it with 'sudo systemctl start \(unit)'.")
        return usage
      case .system(let operation, let errno):
        log.line(.error, "The system refused to \(operation) (\(ErrorDescription.of(errno))).")
        return cannotListen
      }
    }
  }

  private static func status(_ error: HostError) -> Int32 {
    switch error {
    case .noSuchFile, .badFile: badInput
    case .stateInUse: tryAgain
    case .stateUnwritable: cannotListen
    case .stateOpenToOthers: denied
    case .system(_, let errno), .barred(_, _, let errno):
      switch SystemErrorKind(errno) {
      case .inUse: tryAgain
      case .denied: denied
      case .other: cannotListen
      }
    }
  }
}

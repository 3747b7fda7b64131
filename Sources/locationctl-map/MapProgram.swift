import LinuxIO
import LocalHTTP
import LocationPolicy
import LocationdClient
import MapServing
import PlacesCore
import PlacesData

/// `locationctl map`: serves the page until a signal.
enum MapProgram {
  private struct Options {
    var port: UInt16 = 0
    var isReadOnly = false
  }

  static let noService = "locationd is not running: start it with 'sudo systemctl start locationd'"

  static func run(_ arguments: [String]) -> ExitStatus {
    if arguments.first == "--snapshot" || arguments.first == "--terminal" { return SnapshotProgram.run(arguments) }
    guard let options = parse(arguments) else {
      return fail(.usage, "'locationctl map' starts this program")
    }
    guard let folder = PageFolder.find() else {
      return fail(.noData, "the files of the map are not installed: install the package locationd-map again")
    }
    do throws(HostError) {
      let purpose = "to show it on the map"
      guard
        let service = try RemoteHost(
          name: "locationctl map", usage: DeclaredUsage(whenInUse: purpose, always: purpose))
      else {
        return fail(.noSource, noService)
      }
      return try serve(folder, service, options)
    } catch {
      return status(error)
    }
  }

  /// Prints why the service cannot be used.
  static func status(_ error: HostError) -> ExitStatus {
    switch error {
    case .barred(let socket, _, _): fail(.denied, "no permission to use the location service at \(socket)")
    case .system(let operation, let number):
      fail(.noSource, SystemError(operation: operation, errno: number).description)
    default: fail(.noSource, "the location service cannot be reached")
    }
  }

  private static func serve(
    _ folder: PageFolder, _ service: RemoteHost, _ options: Options
  ) throws(HostError) -> ExitStatus {
    let server: LocalServer
    do throws(SystemError) {
      server = try LocalServer(port: options.port, on: service.surroundings.loop)
    } catch {
      return fail(
        .noSource,
        error.errno == SystemError.addressInUse
          ? "port \(options.port) is in use: choose another one with --port, or leave it out" : error.description)
    }
    defer { server.stop() }
    var random = SystemRandomNumberGenerator()
    let gate = RequestGate(
      port: server.port, token: RequestGate.secret(random.next(), random.next()),
      session: RequestGate.secret(random.next(), random.next()))
    // Without the data of the world, the map has no names of towns.
    let world = try? WorldPlaces.open(WorldPlaces.folders(ProcessEnvironment.value("LOCATIOND_WORLD")))
    let session = MapSession(server, service, gate, folder, world, isReadOnly: options.isReadOnly)
    var status = ExitStatus.done
    service.onSignal = { signal in
      switch signal {
      case SignalNumber.interrupt: status = .interrupted
      case SignalNumber.hangUp: status = .hungUp
      default: status = .terminated
      }
      service.stop()
    }
    session.begin()
    guard StandardOutput.write(Array((gate.address + "\n").utf8)) == .written else { return .hungUp }
    StandardError.write(Array(hint(port: server.port).utf8))
    try service.run()
    return status
  }

  /// What to do with the address; over SSH, the browser is on another machine.
  private static func hint(port: UInt16) -> String {
    guard let ssh = ProcessEnvironment.value("SSH_CONNECTION"), !ssh.isEmpty else {
      return "Open this address in a browser on this machine; Ctrl-C ends the map.\n"
    }
    return "On your own machine, run 'ssh -L \(port):127.0.0.1:\(port) HOST', and open this address there; "
      + "Ctrl-C ends the map.\n"
  }

  private static func parse(_ arguments: [String]) -> Options? {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--read-only": options.isReadOnly = true
      case "--port":
        guard let port = rest.popFirst().flatMap({ UInt16($0) }) else { return nil }
        options.port = port
      default: return nil
      }
    }
    return options
  }

  static func fail(_ status: ExitStatus, _ message: String) -> ExitStatus { status.because(message) }
}

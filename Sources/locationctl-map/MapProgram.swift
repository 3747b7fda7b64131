import Geodesy
import LinuxIO
import LocalHTTP
import LocationPolicy
import LocationdClient
import MapServing
import MapShare
import MapTiles

/// `locationctl map`: serves the page until a signal.
enum MapProgram {
  private struct Options {
    var port: UInt16 = 0
    var isReadOnly = false
    var isShared = false
    var opensBrowser = true
    var tiles: [String] = []
  }

  /// How long the map is shared.
  private static let sharingTime = Duration.seconds(3600)

  static let noService = "locationd is not running: start it with 'sudo systemctl start locationd'"

  static func run(_ arguments: [String]) -> ExitStatus {
    if arguments.first == "--snapshot" || arguments.first == "--terminal" { return SnapshotProgram.run(arguments) }
    guard let options = parse(arguments) else {
      return fail(.usage, "'locationctl map' starts this program")
    }
    guard let folder = PageFolder.find() else {
      return fail(.noData, "the files of the map are not installed: install the package locationd-map again")
    }
    let tiles: [any TileFile]
    do throws(TileFileProblem) { tiles = try Basemap.files(options.tiles) } catch {
      return fail(.badInput, error.message)
    }
    do throws(HostError) {
      let purpose = "to show it on the map"
      guard
        let service = try RemoteHost(
          name: "locationctl map", usage: DeclaredUsage(whenInUse: purpose, always: purpose))
      else {
        return fail(.noSource, noService)
      }
      return try serve(folder, service, options, Basemap(tiles))
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
    _ folder: PageFolder, _ service: RemoteHost, _ options: Options, _ basemap: Basemap
  ) throws(HostError) -> ExitStatus {
    let server: LocalServer
    var certificate: ShareCertificate?
    do throws(SystemError) {
      if options.isShared {
        guard let folder = ShareCertificate.folder() else {
          return fail(
            .cannotWrite, "neither XDG_DATA_HOME nor HOME is set: set one for the certificate of the shared map")
        }
        let now = WallClock.now().nanosecondsSince1970 / 1_000_000_000
        certificate = try ShareCertificate.inFolder(folder, now: now)
      }
      let identity = certificate.map { LocalServer.Identity(certificate: $0.certificate, key: $0.key) }
      server = try LocalServer(port: options.port, on: service.surroundings.loop, identity: identity)
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
      session: RequestGate.secret(random.next(), random.next()),
      reach: options.isShared ? .network(names: HostNames.all) : .loopback)
    let session = MapSession(
      server, service, gate, folder, basemap, isReadOnly: options.isReadOnly || options.isShared)
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
    var browser: BrowserStart?
    if let certificate {
      StandardError.write(Array(sharingText(gate, certificate).utf8))
      service.surroundings.loop.schedule(at: service.now + sharingTime) {
        StandardError.write(Array("The hour is over: the map is not shared any more.\n".utf8))
        service.stop()
      }
    } else {
      if options.opensBrowser { browser = BrowserStart(gate.address) }
      session.onEntry = { browser?.removePage() }
      StandardError.write(Array(hint(port: server.port, isOpened: browser != nil).utf8))
    }
    defer { browser?.removePage() }
    try service.run()
    return status
  }

  /// What to do with the address; over SSH, the browser is on another machine.
  private static func hint(port: UInt16, isOpened: Bool) -> String {
    if isOpened { return "The map is opened in your browser; if it is not, open this address. Ctrl-C ends the map.\n" }
    guard BrowserStart.isRemote else {
      return "Open this address in a browser on this machine; Ctrl-C ends the map.\n"
    }
    return "On your own machine, run 'ssh -L \(port):127.0.0.1:\(port) HOST', and open this address there; "
      + "Ctrl-C ends the map.\n"
  }

  private static func sharingText(_ gate: RequestGate, _ certificate: ShareCertificate) -> String {
    "Everyone with this address sees your position, your tracks and your regions, for an hour; Ctrl-C ends it.\n"
      + "The browser does not know the certificate. Before you accept it, compare its SHA-256 fingerprint:\n"
      + certificate.fingerprint + "\n" + (QRCode.text(gate.address) ?? "")
  }

  private static func parse(_ arguments: [String]) -> Options? {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--read-only": options.isReadOnly = true
      case "--share": options.isShared = true
      case "--no-open": options.opensBrowser = false
      case "--tiles":
        guard let path = rest.popFirst(), options.tiles.count < Basemap.mostFiles else { return nil }
        options.tiles.append(path)
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

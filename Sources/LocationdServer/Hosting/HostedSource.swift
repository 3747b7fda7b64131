import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import LocationReplay
import LocationdHost
import LocationdService
import Positioning

/// The parts that one kind of source needs, put together for a service.
final class HostedSource: ServicePorts {
  private enum Kind {
    /// Not open yet.
    case none
    case automatic(DeviceSource, WiFiSource?)
    case wifi(WiFiSource?)
    case serial(NamedPort)
    #if GPSD
      case gpsd(GPSDSource)
    #endif
    case simulator(SimulatorFeed)
    case replay(ReplayPortDriver)
    /// Behind a daemon.
    case daemon(DaemonCapturePortDriver)
  }

  private var kind = Kind.none
  private(set) var links: (any PortDriver)?

  /// Opens live sources, local or behind a daemon.
  func open(
    _ source: SourceSelection, loop: EventLoop, runner: ServiceRunner, stateFolder: String?,
    minding gpsd: GPSDAddress?
  ) throws(SystemError) {
    let direct = SerialPortDriver(loop: loop, runner: runner, lockFolders: ProcessEnvironment.lockFolders)
    #if GPSD
      links = PortRouter(direct: direct, gpsd: GPSDPortDriver(loop: loop, runner: runner))
    #else
      links = direct
    #endif
    switch source {
    case .automatic:
      let devices = try DeviceSource(loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd)
      kind = .automatic(
        devices, stateFolder.flatMap { WiFiSource(loop, runner, stateFolder: $0, isAlone: false) })
    case .wifi:
      kind = .wifi(WiFiSource(loop, runner, stateFolder: stateFolder ?? DeviceSource.noFolder, isAlone: true))
    case .serial(let path, let baud):
      var sighting = DetectedDevice(id: path, path: path, kind: .trusted)
      sighting.namedSpeed = baud
      kind = .serial(NamedPort(sighting, loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd))
    case .gpsd(let address):
      #if GPSD
        kind = .gpsd(GPSDSource(loop: loop, runner: runner, address: address))
      #endif
    case .simulator:
      var configuration = SimulatedReceiver.Configuration()
      // Receivers' epochs fall on whole seconds.
      let now = WallClock.now().nanosecondsSince1970
      configuration.startTime = GNSSTime(nanosecondsSince1970: now - now % 1_000_000_000)
      kind = .simulator(try SimulatorFeed(loop: loop, configuration))
    case .daemon(let device):
      let received = try DaemonCapturePortDriver(loop: loop, runner: runner, device: device)
      links = received
      kind = .daemon(received)
    case .replay: break
    }
  }

  /// Opens a recording, which is played when a client requests it.
  func open(_ replay: ReplayPortDriver) {
    links = replay
    kind = .replay(replay)
  }

  /// Reports the available devices to the service.
  func begin(feeding runner: ServiceRunner) throws(SystemError) {
    switch kind {
    case .none: break
    case .automatic(let devices, let wifi):
      wifi?.begin()
      try devices.begin()
    case .wifi(let wifi):
      if let wifi { wifi.begin() } else { runner.handle(.sourceless(.radio(.switchedOff))) }
      runner.handle(.inventoryComplete)
    case .serial(let port): port.begin()
    #if GPSD
      case .gpsd(let source): source.begin()
    #endif
    case .simulator(let simulator):
      try simulator.begin()
      runner.handle(.deviceAppeared(DetectedDevice(id: "simulator", path: simulator.path, kind: .trusted)))
      runner.handle(.inventoryComplete)
    case .replay(let replay): replay.begin()
    case .daemon(let received): received.begin()
    }
  }

  var wifi: WiFiSource? {
    switch kind {
    case .automatic(_, let wifi), .wifi(let wifi): wifi
    default: nil
    }
  }

  var administration: (any DeviceAdministration)? {
    switch kind {
    case .automatic(let devices, _): devices
    case .serial(let port): port
    default: nil
    }
  }

  /// The gpsd whose receivers are left to it.
  var neighbour: GPSDOwnership? {
    switch kind {
    case .automatic(let devices, _): devices.neighbour
    case .serial(let port): port.neighbour
    default: nil
    }
  }

  /// The machine's devices, if the source is any of them.
  var devices: DeviceSource? { if case .automatic(let devices, _) = kind { devices } else { nil } }

  /// The receivers of the daemon that this process listens to.
  var received: DaemonCapturePortDriver? { if case .daemon(let received) = kind { received } else { nil } }

  /// Whether the source is a recording.
  var isReplay: Bool { if case .replay = kind { true } else { false } }
}

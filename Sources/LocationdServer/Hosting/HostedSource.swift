import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import LocationReplay
import LocationdHost
import LocationdService
import Positioning

/// The parts that only one kind of source needs, put together for a service.
struct HostedSource {
  var ports: (any LinkPorts)?
  var devices: DeviceSource?
  /// The gpsd whose receivers are left to it.
  var neighbour: GPSDNeighbour?
  /// The radio for Wi-Fi.
  var wifi: WiFiSource?
  /// Any other object that reports devices to the service.
  var teller: AnyObject?
  /// Reports the available devices to the service.
  var begin: () throws(SystemError) -> Void = {}

  /// A recording, played when a client requests it.
  init(replaying ports: ReplayPorts) {
    self.ports = ports
    begin = { ports.begin() }
  }

  /// Live sources, local or behind a daemon.
  init(
    _ source: SourceSelection, loop: EventLoop, runner: ServiceRunner, stateFolder: String?,
    minding gpsd: GPSDAddress?
  ) throws(SystemError) {
    let direct = LivePorts(loop: loop, runner: runner, lockFolders: ProcessEnvironment.lockFolders)
    #if GPSD
      ports = RoutedPorts(direct: direct, gpsd: GPSDPorts(loop: loop, runner: runner))
    #else
      ports = direct
    #endif
    switch source {
    case .automatic:
      let neighbour = GPSDNeighbour(loop: loop, address: gpsd)
      let ownership = DeviceOwnership(loop: loop, runner: runner, stateFolder: stateFolder, neighbour: neighbour)
      let devices = try DeviceSource(
        loop: loop, runner: runner, stateFolder: stateFolder ?? DeviceSource.noFolder, neighbour: neighbour,
        ownership: ownership)
      runner.setOwner = { ownership.set($1, of: $0, as: $0.id, $2) }
      self.devices = devices
      self.neighbour = neighbour
      let wifi = stateFolder.flatMap { WiFiSource(loop, runner, stateFolder: $0, isAlone: false) }
      self.wifi = wifi
      begin = { () throws(SystemError) in
        wifi?.begin()
        try devices.begin()
      }
    case .wifi:
      let wifi = WiFiSource(loop, runner, stateFolder: stateFolder ?? DeviceSource.noFolder, isAlone: true)
      self.wifi = wifi
      begin = { [unowned runner] in
        if let wifi { wifi.begin() } else { runner.feed(.sourceless(.radio(.switchedOff))) }
        runner.feed(.inventoryComplete)
      }
    case .serial(let path, let baud):
      var sighting = DeviceSighting(id: path, path: path, kind: .trusted)
      sighting.namedSpeed = baud
      let neighbour = GPSDNeighbour(loop: loop, address: gpsd)
      let ownership = DeviceOwnership(loop: loop, runner: runner, stateFolder: stateFolder, neighbour: neighbour)
      let port = NamedPort(sighting, neighbour: neighbour, ownership: ownership, runner: runner)
      runner.setOwner = { [unowned port] in port.setOwner($1, $2) }
      self.neighbour = neighbour
      teller = port
      begin = { port.begin() }
    case .gpsd(let address):
      #if GPSD
        let source = GPSDSource(loop: loop, runner: runner, address: address)
        teller = source
        begin = { source.begin() }
      #endif
    case .simulator:
      var configuration = SimulatedReceiver.Configuration()
      // Receivers' epochs fall on whole seconds.
      let now = WallClock.now().nanosecondsSince1970
      configuration.startTime = GNSSTime(nanosecondsSince1970: now - now % 1_000_000_000)
      let simulator = try SimulatorFeed(loop: loop, configuration)
      teller = simulator
      let sighting = DeviceSighting(id: "simulator", path: simulator.path, kind: .trusted)
      begin = { [unowned runner] () throws(SystemError) in
        try simulator.begin()
        runner.feed(.deviceAppeared(sighting))
        runner.feed(.inventoryComplete)
      }
    case .daemon(let device):
      let heard = try HeardPorts(loop: loop, runner: runner, device: device)
      ports = heard
      begin = { heard.begin() }
    case .replay: break
    }
  }
}
